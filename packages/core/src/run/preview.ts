import { CodedError, findPointer, type Issue, isObject, type JsonObject, type StepReply } from '@trestle/protocol'
import { endSentence } from '../base/thrown.ts'
import { type RegisteredWorkflow, schemasOf } from '../bridge/registered-workflow.ts'
import { findWorkflow, type Registry } from '../bridge/registry.ts'
import type { StepEvent } from '../call/bridge-event.ts'
import type { CallScope } from '../call/call-scope.ts'
import { prepareSchemas } from '../discovery/discover-workflow.ts'
import { showStep } from './show-step.ts'
import { checkPayload, dropUnknown } from './state/check-payload.ts'
import { toMetadata, toStepReply } from './step-reply.ts'
import { unknownStep } from './unreached/detect-idle.ts'

/**
 * Previews one step of a workflow: the event's parts are merged into sample data, earlier steps return sample results,
 * and `skip` is not called. The same call gives the same result if the handler is deterministic.
 *
 * @param registry - The state of the bridge.
 * @param call - The workflow, the step and the event.
 * @param scope - The deadline and environment of the call.
 * @throws CodedError - Any error of the workflow, its step or the call's data.
 * @source bridge-protocol.md#running-a-step
 */
export async function preview(registry: Registry, call: StepEvent, scope: CallScope): Promise<StepReply> {
  const startMs = performance.now()
  const workflow = findWorkflow(registry, call.workflowId)
  if (call.stepId === undefined) throw unknownStep(workflow.id, undefined)
  const { payload } = call.event
  await prepareSchemas(workflow)
  const given = isObject(payload) ? await checkGiven(workflow, payload) : await checkPayload(workflow, payload)
  const { outcome, warnings } = await showStep({
    ...{ registry, workflow, scope },
    call: { ...call, event: { ...call.event, payload: given } },
  })
  for (const { code, message } of warnings) registry.notices.once(message, code)
  const reply = toStepReply(outcome, toMetadata({ startMs, warnings }))
  const removed = outcome.cleaned?.removed
  return removed ? { ...reply, metadata: { ...reply.metadata, removed } } : reply
}

/**
 * Validates given data against the schema, and returns it. Errors caused only by the sample are ignored, for example
 * because no text can be generated for a pattern.
 */
async function checkGiven(workflow: RegisteredWorkflow, given: JsonObject): Promise<JsonObject> {
  const { payload: schema } = schemasOf(workflow)
  // Empty data is not validated.
  if (!schema.given || Object.keys(given).length === 0) return given
  const { value, verdict } = await dropUnknown(workflow, { value: given, verdict: await schema.check(given) })
  const [first, ...others] = (verdict.issues ?? []).filter((issue) => isGiven(value, issue))
  if (!first) return value
  throw new CodedError(
    'WorkflowPayloadInvalidError',
    endSentence(`The payload does not match the schema of workflow "${workflow.id}". ${first.path}: ${first.message}`),
    { data: [first, ...others] },
  )
}

/** Returns whether an issue concerns a value that was sent, not a missing one. */
function isGiven(given: unknown, { path }: Issue): boolean {
  return path !== '' && findPointer(given, path) !== undefined
}
