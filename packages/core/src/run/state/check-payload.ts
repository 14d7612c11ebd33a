import { CodedError, type Issue, isObject, type JsonObject } from '@trestle/protocol'
import { endSentence } from '../../base/thrown.ts'
import { type RegisteredWorkflow, schemasOf } from '../../bridge/registered-workflow.ts'
import type { Verdict } from '../../schema/compiled-schema.ts'
import { dropUnknownKeys, type Pruned } from '../../schema/drop-unknown-keys.ts'
import { toDropWarning } from './drop-warning.ts'

/**
 * Validates a payload with its workflow's schema.
 *
 * @param workflow - The workflow with the schema.
 * @param payload - The payload as sent.
 * @returns The payload with defaults and transforms applied; a promise only if the schema is asynchronous.
 * @throws CodedError - `WorkflowPayloadInvalidError`.
 * @source service-api.md#errors-of-the-bridge, bridge-protocol.md#requests
 */
export function checkPayload(workflow: RegisteredWorkflow, payload: unknown): JsonObject | Promise<JsonObject> {
  if (!isObject(payload)) throw invalid(workflow.id, [{ path: '', message: 'the payload must be an object' }])
  const checked = schemasOf(workflow).payload.check(payload)
  return checked instanceof Promise
    ? checked.then((verdict) => judge(workflow, payload, verdict))
    : judge(workflow, payload, checked)
}

function judge(workflow: RegisteredWorkflow, payload: JsonObject, verdict: Verdict): JsonObject | Promise<JsonObject> {
  const pruned = dropUnknown(workflow, { value: payload, verdict })
  return pruned instanceof Promise
    ? pruned.then((result) => accept(workflow, result.verdict))
    : accept(workflow, pruned.verdict)
}

/** Removes the unknown fields of a payload with a warning each, if the workflow's preset drops them. */
export function dropUnknown(
  workflow: RegisteredWorkflow,
  checked: Pruned<JsonObject>,
): Pruned<JsonObject> | Promise<Pruned<JsonObject>> {
  const { onUnknown } = workflow
  if (!checked.verdict.issues || !onUnknown) return checked
  return dropUnknownKeys(schemasOf(workflow).payload, checked, (path) =>
    onUnknown(toDropWarning(path, `the payload of workflow "${workflow.id}"`)),
  )
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
    endSentence(`The payload does not match the schema of workflow "${workflowId}". ${where}${first?.message}`),
    { data: issues },
  )
}
