import { CodedError } from '@trestle/protocol'
import { toThrown } from '../../base/thrown.ts'
import type { RunState } from './run-state.ts'

/**
 * Returns the failure of a workflow function, after reporting it to the hook.
 *
 * @param run - The run of the function.
 * @param error - The error thrown by the function.
 */
export function functionFailed({ scope }: RunState, error: unknown): CodedError {
  const code = 'WorkflowExecutionFailedError'
  const { workflow, stepId } = scope
  const { message, stack } = toThrown(error)
  scope.onError(error, code)
  const place = stepId === '' ? '' : ` before it reached step "${stepId}"`
  return new CodedError(code, `Workflow "${workflow.id}" failed${place}: ${message}`, { data: { stack }, cause: error })
}
