import { ownEntry } from '../../base/own-entry.ts'
/** The tab in which an error can be fixed. */
export type FixTab = 'payload' | 'controls' | 'state'

/** How to fix an error. */
export interface Fix {
  /** The instruction. */
  readonly text: string
  /** The tab in which to fix it, if there is one. */
  readonly tab?: FixTab
}

const fixes: Readonly<Record<string, Fix>> = {
  StepControlCompilationFailedError: {
    text: 'Fix the template at the marked position. It may be a default in the code, or a saved value.',
    tab: 'controls',
  },
  ExecutionStateControlInvalidError: {
    text: 'Use control values that match the controlSchema.',
    tab: 'controls',
  },
  WorkflowPayloadInvalidError: { text: 'Use payload values that match the payloadSchema.', tab: 'payload' },
  ExecutionStateOutputInvalidError: {
    text: "Change the step's result in the code so that it matches the schema of its channel.",
  },
  ExecutionStateResultInvalidError: { text: 'Use results for earlier steps that match their schemas.', tab: 'state' },
  StepExecutionFailedError: {
    text: 'The code of the step threw an error. Change the code, or try different input.',
    tab: 'payload',
  },
  StepExecutionTimeoutError: { text: 'The code of the step took too long. Move slow work out of the step.' },
  StepNotFoundError: { text: 'The running app does not have this step. Restart the app, then sync.' },
  WorkflowNotFoundError: { text: 'The running app does not have this workflow. Restart the app, then sync.' },
}

const fallback: Fix = { text: 'See the page about this error code for its cause and how to fix it.' }

/**
 * Returns how to fix a preview error.
 *
 * @param code - The error code.
 */
export function fixOf(code: string): Fix {
  return ownEntry(fixes, code) ?? fallback
}
