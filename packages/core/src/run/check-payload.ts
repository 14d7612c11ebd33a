import { CodedError, type Issue, type JsonObject } from '@trestle/protocol'
import { isObject } from '../json.ts'
import { type RegisteredWorkflow, schemasOf } from '../registered-workflow.ts'

/**
 * Holds a payload against its workflow's schema.
 *
 * @param workflow - The workflow.
 * @param payload - As it was sent.
 * @returns The payload with defaults filled and transforms run.
 * @throws CodedError - `WorkflowPayloadInvalidError`.
 * @source Specification, "Errors raised by the bridge application"; protocol, "Requests".
 */
export async function checkPayload(workflow: RegisteredWorkflow, payload: unknown): Promise<JsonObject> {
  if (!isObject(payload)) throw invalid(workflow.id, [{ path: '', message: 'the payload must be an object' }])
  const checked = schemasOf(workflow).payload.check(payload)
  const verdict = checked instanceof Promise ? await checked : checked
  if (verdict.issues) throw invalid(workflow.id, verdict.issues)
  return verdict.value as JsonObject
}

function invalid(workflowId: string, issues: readonly Issue[]): CodedError {
  const [first] = issues
  const where = first?.path ? `${first.path}: ` : ''
  return new CodedError(
    'WorkflowPayloadInvalidError',
    `The payload does not fit the schema of workflow "${workflowId}". ${where}${first?.message}.`,
    { data: issues },
  )
}
