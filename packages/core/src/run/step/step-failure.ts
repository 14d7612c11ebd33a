import { CodedError, type ErrorCode } from '@trestle/protocol'
import { toThrown } from '../../base/thrown.ts'
import { toFailedStepData } from '../../workflow/steps/step-data.ts'
import type { StepRun } from '../state/step-run.ts'

/**
 * Creates the error for a failure of user code, and calls the hook.
 *
 * @param run - The step and its run.
 * @param error - The thrown value.
 * @param failure - The error code, and the part that failed.
 */
export function toFailure(
  run: StepRun,
  error: unknown,
  failure: { readonly code: ErrorCode; readonly what: string },
): CodedError {
  const { message, stack } = toThrown(error)
  run.scope.onError(error, failure.code, run.call)
  return new CodedError(failure.code, `Workflow "${run.scope.workflow.id}": ${failure.what} failed: ${message}`, {
    data: { ...toFailedStepData(run.call, run.scope.workflow.options), stack },
    cause: error,
  })
}
