import { ownEntry } from '../../base/own-entry.ts'
/** The tab in which an error is mended. */
export type FixTab = 'payload' | 'controls' | 'state'

/** What to do about an error. */
export interface Fix {
  /** What to do. */
  readonly text: string
  /** The tab of the page in which it is done, where it is done in one. */
  readonly tab?: FixTab
}

const fixes: Readonly<Record<string, Fix>> = {
  StepControlCompilationFailedError: {
    text: 'Mend the template at the marked place. It may be a default in the code, or a value that was stored.',
    tab: 'controls',
  },
  ExecutionStateControlInvalidError: { text: 'Give the controls values that fit the controlSchema.', tab: 'controls' },
  WorkflowPayloadInvalidError: { text: 'Give the payload values that fit the payloadSchema.', tab: 'payload' },
  ExecutionStateOutputInvalidError: {
    text: 'Change what the step returns in the code, so that it fits the schema of its channel.',
  },
  ExecutionStateResultInvalidError: { text: 'Give earlier steps results that fit their schemas.', tab: 'state' },
  StepExecutionFailedError: {
    text: 'The code of the step threw. Change the code, or try input it can work with.',
    tab: 'payload',
  },
  StepExecutionTimeoutError: { text: 'The code of the step took too long. Move slow work out of the step.' },
  StepNotFoundError: { text: 'The step is not in the running app. Restart the app, then sync.' },
  WorkflowNotFoundError: { text: 'The workflow is not in the running app. Restart the app, then sync.' },
}

const fallback: Fix = { text: 'See the page of the code for its cause and what to do.' }

/**
 * Returns what to do about an error of a preview.
 *
 * @param code - Its code.
 */
export function fixOf(code: string): Fix {
  return ownEntry(fixes, code) ?? fallback
}
