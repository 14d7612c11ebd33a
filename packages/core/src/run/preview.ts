import { CodedError, type Issue, type JsonObject, type StepReply, type Warning } from '@trestle/protocol'
import { isObject } from '../base/json.ts'
import { endSentence, toThrown } from '../base/thrown.ts'
import { type RegisteredWorkflow, schemasOf } from '../bridge/registered-workflow.ts'
import { findWorkflow, type Registry } from '../bridge/registry.ts'
import type { StepEvent } from '../call/bridge-event.ts'
import type { CallScope } from '../call/call-scope.ts'
import { discoverWorkflow, prepareSchemas, toDiscoveryFailure } from '../discovery/discover-workflow.ts'
import { createSampleRunData, type SampleRunData } from '../discovery/samples/sample-run-data.ts'
import { previewValues } from '../discovery/samples/values/preview-values.ts'
import { shownCounts } from '../discovery/samples/values/sample.ts'
import { createVariationSource, type VariationSource } from '../discovery/samples/values/variation.ts'
import type { StepCall } from '../workflow/steps/step-call.ts'
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
  const usual = await showWith(show, { variationSource: previewValues, counts: shownCounts })
  const { outcome, warnings } = usual.outcome.skip ? await showConditional(show, usual) : usual
  for (const { message } of warnings) registry.notices.once(message)
  const reply = toStepReply(outcome, startMs, warnings)
  const removed = outcome.cleaned?.removed
  return removed ? { ...reply, metadata: { ...reply.metadata, removed } } : reply
}

interface Show {
  readonly registry: Registry
  readonly workflow: RegisteredWorkflow
  readonly call: StepEvent
  readonly scope: CallScope
}

interface Shown {
  readonly outcome: StepOutcome
  readonly warnings: readonly Warning[]
}

/** The sample data that a step is shown on. */
interface ShowStyle {
  readonly variationSource: VariationSource
  readonly counts: readonly number[]
  /** Whether results without a schema answer whatever they are asked. @default false */
  readonly isPermissive?: boolean
}

async function showWith(
  { registry, workflow, call, scope }: Show,
  { variationSource, counts, isPermissive = false }: ShowStyle,
): Promise<Shown> {
  const { payload, subscriber, env, context, actor } = call.event
  if (!isObject(payload)) await checkPayload(workflow, payload)
  await prepareSchemas(workflow)
  const given = { payload, subscriber, env, context, ...(actor && { actor }) }
  const runData = await createSampleRunData(workflow, variationSource, { lazy: false, counts, given, isPermissive })
  const event = { ...call.event, subscriber: runData.subscriber, context: runData.context as JsonObject }
  const request = {
    call: { ...call, event },
    scope,
    payload: await toPayload(workflow, payload, runData),
    sampleData: {
      ...runData,
      resultOf: (step: StepCall, known?: JsonObject) => sampleResult(workflow, runData, { step, known }),
    },
  }
  const runScope = await toRunScope(registry, workflow, request)
  const outcome = await run(runScope, scope.deadline)
  return { outcome, warnings: runScope.warnings ?? [] }
}

/** A schema that cannot be shown has no sample; that is the workflow's own failure, as it is when it is discovered. */
function sampleResult(
  { id }: RegisteredWorkflow,
  { resultOf }: SampleRunData,
  { step, known }: { readonly step: StepCall; readonly known: JsonObject | undefined },
): unknown {
  const fail = (error: unknown): never => {
    throw toDiscoveryFailure(id, new Error(`step "${step.id}": ${toThrown(error).message}`, { cause: error }))
  }
  try {
    const result = resultOf(step, known)
    return result instanceof Promise ? result.catch(fail) : result
  } catch (error) {
    return fail(error)
  }
}

/** A step that the usual sample leaves out is shown on the sample with which discovery found it. */
async function showConditional(show: Show, otherwise: Shown): Promise<Shown> {
  const { workflow, call, scope } = show
  const { runs } = await discoverWorkflow(workflow)
  const found = runs.find(({ calls }) => calls.has(call.stepId ?? ''))
  const shownOn = (isPermissive: boolean): Promise<Shown> => {
    const variation = found?.variation ?? { base: 'fullest', changes: new Map() }
    const variationSource = createVariationSource(variation, (reason) => new Error(`the preview ${reason}`))
    return showWith(show, { variationSource, counts: [1, 2, 0], isPermissive })
  }
  if (found) {
    const shown = await shownOn(false)
    if (!shown.outcome.skip) return shown
    // Behind a result without a schema the step is only reached by a result that answers whatever it is asked, which
    // its handler may not be able to work with.
    const made = await shownOn(true).catch(() => otherwise)
    if (!made.outcome.skip && !scope.deadline.expired) return made
  }
  return { ...otherwise, warnings: [...otherwise.warnings, notReached(workflow.id, call.stepId ?? '')] }
}

function notReached(workflowId: string, stepId: string): Warning {
  return {
    code: 'PreviewNotReached',
    message:
      `Workflow "${workflowId}": this preview does not reach step "${stepId}", because its condition is false for the ` +
      'data it was given and for sample data. Send a payload or stored results that meet the condition, or give the ' +
      'steps whose results it reads an outputSchema.',
  }
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
    endSentence(`The payload does not fit the schema of workflow "${workflow.id}". ${first.path}: ${first.message}`),
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
