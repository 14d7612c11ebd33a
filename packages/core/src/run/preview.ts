import { CodedError, type Issue, type JsonObject, type StepReply } from '@trestle/protocol'
import { isObject } from '../base/json.ts'
import { type RegisteredWorkflow, schemasOf } from '../bridge/registered-workflow.ts'
import { findWorkflow, type Registry } from '../bridge/registry.ts'
import type { StepEvent } from '../call/bridge-event.ts'
import type { CallScope } from '../call/call-scope.ts'
import { discoverWorkflow } from '../discovery/discover-workflow.ts'
import { createSampleRunData, type SampleRunData } from '../discovery/samples/sample-run-data.ts'
import { shownCounts } from '../discovery/samples/values/sample.ts'
import { createVariationSource, previewValues, type VariationSource } from '../discovery/samples/values/variation.ts'
import { toStepReply } from './execute.ts'
import { run } from './run.ts'
import { checkPayload } from './state/check-payload.ts'
import { toRunScope } from './state/run-scope.ts'
import type { StepOutcome } from './state/step-run.ts'
import { unknownStep } from './unreached/detect-idle.ts'

/**
 * Shows one step of a workflow: the event's parts are laid over sample data, earlier steps give sample results, and
 * `skip` is not asked. The same call gives the same answer, as far as the handler itself does.
 *
 * @param registry - The bridge.
 * @param call - The workflow, the step and the event.
 * @param scope - The call's time.
 * @throws CodedError - Whatever the workflow, its step or the call's data got wrong.
 * @source Protocol, "Running a step", `preview`.
 */
export async function preview(registry: Registry, call: StepEvent, scope: CallScope): Promise<StepReply> {
  const startMs = performance.now()
  const workflow = findWorkflow(registry, call.workflowId)
  if (call.stepId === undefined) throw unknownStep(workflow.id, undefined)
  const show: Show = { registry, workflow, call, scope }
  const outcome = await showWith(show, previewValues, shownCounts)
  const shown = outcome.skip ? await showConditional(show, outcome) : outcome
  const reply = toStepReply(shown, startMs, call.stepId)
  const removed = shown.cleaned?.removed
  return removed ? { ...reply, metadata: { ...reply.metadata, removed } } : reply
}

interface Show {
  readonly registry: Registry
  readonly workflow: RegisteredWorkflow
  readonly call: StepEvent
  readonly scope: CallScope
}

async function showWith(
  { registry, workflow, call, scope }: Show,
  variationSource: VariationSource,
  counts: readonly number[],
): Promise<StepOutcome> {
  const { payload, subscriber, env, context, actor } = call.event
  if (!isObject(payload)) await checkPayload(workflow, payload)
  for (const schema of Object.values(schemasOf(workflow))) await schema.prepare()
  const given = { payload, subscriber, env, context, ...(actor && { actor }) }
  const runData = await createSampleRunData(workflow, variationSource, { lazy: false, counts, given })
  const event = { ...call.event, subscriber: runData.subscriber, context: runData.context as JsonObject }
  const request = {
    call: { ...call, event },
    scope,
    payload: await toPayload(workflow, payload, runData),
    sampleData: runData,
  }
  const runScope = await toRunScope(registry, workflow, request)
  return run(runScope, scope.deadline)
}

/** A step that the usual sample leaves out is shown on the sample with which discovery found it. */
async function showConditional(show: Show, otherwise: StepOutcome): Promise<StepOutcome> {
  const { runs } = await discoverWorkflow(show.workflow)
  const found = runs.find(({ calls }) => calls.has(show.call.stepId ?? ''))
  if (!found) return otherwise
  const variationSource = createVariationSource(found.variation, (reason) => new Error(`the preview ${reason}`))
  return showWith(show, variationSource, [1, 2, 0])
}

/** Holds what was given against the schema. A fault of the sample alone (a pattern cannot be guessed) is no fault. */
async function toPayload(workflow: RegisteredWorkflow, given: unknown, runData: SampleRunData): Promise<JsonObject> {
  const { payload: schema } = schemasOf(workflow)
  if (!schema.given) return runData.payload as JsonObject
  const verdict = await schema.check(given)
  const faults = (verdict.issues ?? []).filter((issue) => isGiven(given, issue))
  const [first] = faults
  if (!first) return runData.payload as JsonObject
  throw new CodedError(
    'WorkflowPayloadInvalidError',
    `The payload does not fit the schema of workflow "${workflow.id}". ${first.path}: ${first.message}.`,
    { data: faults },
  )
}

/** Whether an issue is about a value that was sent, and not about one that is missing. */
function isGiven(given: unknown, { path }: Issue): boolean {
  if (path === '') return false
  let place: unknown = given
  for (const part of path.split('/').slice(1)) {
    const key = part.replaceAll('~1', '/').replaceAll('~0', '~')
    if (typeof place !== 'object' || place === null || !Object.hasOwn(place, key)) return false
    place = Reflect.get(place, key)
  }
  return true
}
