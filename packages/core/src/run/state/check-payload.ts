import { CodedError, type Issue, type JsonObject } from '@trestle/protocol'
import { isObject } from '../../base/json.ts'
import { endSentence } from '../../base/thrown.ts'
import { type RegisteredWorkflow, schemasOf } from '../../bridge/registered-workflow.ts'
import type { Verdict } from '../../schema/compiled-schema.ts'

/**
 * Holds a payload against its workflow's schema.
 *
 * @param workflow - The workflow.
 * @param payload - As it was sent.
 * @returns The payload with defaults filled and transforms run; a promise only where the schema is asynchronous.
 * @throws CodedError - `WorkflowPayloadInvalidError`.
 * @source Specification, "Errors raised by the bridge application"; protocol, "Requests".
 */
export function checkPayload(workflow: RegisteredWorkflow, payload: unknown): JsonObject | Promise<JsonObject> {
  if (!isObject(payload)) throw invalid(workflow.id, [{ path: '', message: 'the payload must be an object' }])
  const checked = schemasOf(workflow).payload.check(payload)
  return checked instanceof Promise ? checked.then((verdict) => accept(workflow, verdict)) : accept(workflow, checked)
}

function accept(workflow: RegisteredWorkflow, verdict: Verdict): JsonObject {
  if (verdict.issues) throw invalid(workflow.id, verdict.issues)
  return verdict.value as JsonObject
}

function invalid(workflowId: string, issues: readonly Issue[]): CodedError {
  const [first] = issues
  const where = first?.path ? `${first.path}: ` : ''
  return new CodedError(
    'WorkflowPayloadInvalidError',
    endSentence(`The payload does not fit the schema of workflow "${workflowId}". ${where}${first?.message}`),
    { data: issues },
  )
}
