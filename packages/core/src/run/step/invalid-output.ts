import { CodedError, type Issue } from '@trestle/protocol'
import { endSentence } from '../../base/thrown.ts'
import { toStepData } from '../../workflow/steps/step-data.ts'
import type { StepRun } from '../state/step-run.ts'

/**
 * Creates the error for a value that app code returned and that does not match its schema.
 *
 * @param run - The step and its run.
 * @param issues - The issues, at least one.
 * @param failure - The error code, and what returned the value: `the handler`.
 */
export function invalidOutput(
  { scope, call }: StepRun,
  issues: readonly Issue[],
  failure: {
    readonly code: 'ExecutionStateOutputInvalidError' | 'ExecutionProviderOutputInvalidError'
    readonly what: string
  },
): CodedError {
  const [first] = issues
  const where = first?.path ? `${first.path} ` : ''
  return new CodedError(
    failure.code,
    endSentence(
      `Workflow "${scope.workflow.id}": the value returned by ${failure.what} of step "${call.id}" is invalid: ${where}${first?.message}`,
    ),
    { data: { ...toStepData(call), issues } },
  )
}
