import { isCodedError, isObject, type JsonObject, type Warning } from '@trestle/protocol'
import { toThrown } from '../base/thrown.ts'
import type { RegisteredWorkflow } from '../bridge/registered-workflow.ts'
import type { Registry } from '../bridge/registry.ts'
import type { ReceivedEvent, StepEvent } from '../call/bridge-event.ts'
import type { CallScope } from '../call/call-scope.ts'
import { parseEventAgain } from '../call/parse.ts'
import { toDiscoveryFailure } from '../discovery/discover-workflow.ts'
import type { ExploredRun } from '../discovery/discovery.ts'
import { guardSampleRun } from '../discovery/recording/guard-sample-run.ts'
import { mergeGiven } from '../discovery/samples/merge-given.ts'
import { createSampleRunData, type SampleRunData, toGiven } from '../discovery/samples/sample-run-data.ts'
import { shownCounts } from '../discovery/samples/values/sample.ts'
import { previewValues } from '../discovery/samples/variation/preview-values.ts'
import { fullest, type Variation, type VariationSource } from '../discovery/samples/variation/variation.ts'
import { createVariationSource } from '../discovery/samples/variation/variation-source.ts'
import type { StepCall } from '../workflow/steps/step-call.ts'
import { findRun } from './found-run.ts'
import { run } from './run.ts'
import { toRunScope } from './state/run-scope.ts'
import type { RunScope, StepOutcome } from './state/step-run.ts'

/** The input of a preview. */
export interface Show {
  readonly registry: Registry
  readonly workflow: RegisteredWorkflow
  readonly call: StepEvent
  readonly scope: CallScope
}

/** A displayed step. */
export interface Shown {
  readonly outcome: StepOutcome
  readonly warnings: readonly Warning[]
}

/** The result of one run on sample data. The error is only reported to the hook if the preview returns it. */
interface Attempt {
  readonly preview?: Shown
  readonly error?: unknown
  tell(): void
}

/** The sample data with which a step is displayed. */
interface ShowStyle {
  readonly variationSource: VariationSource
  readonly counts: readonly number[]
  /** The data with which discovery found the step, or the developer's first sample. */
  readonly variation: Variation
}

// Sample data can cause these errors before the step is reached.
const codesBefore: readonly string[] = ['WorkflowExecutionFailedError', 'StepAlreadyExistsError']

const usualStyle: ShowStyle = {
  variationSource: previewValues,
  counts: shownCounts,
  variation: { ...fullest, sample: 0 },
}

/**
 * Runs a workflow on sample data up to a step, with the developer's first sample if there is one. If the run skips the
 * step or fails before it, the sample with which discovery found the step is used instead.
 *
 * @param show - The step and the call; the workflow's schemas must be prepared.
 * @throws CodedError - Any error of the workflow, its step or the call's data.
 */
export async function showStep(show: Show): Promise<Shown> {
  const usual = await attemptOn(show, usualStyle)
  if (isReached(usual) || (usual.error && !isBefore(usual))) return answer(usual)
  const { workflow, call, scope } = show
  const finding = findRun(workflow, call.stepId ?? '')
  const exploredRun = await scope.deadline
    .within(finding)
    .catch((error: unknown) => (usual.error ? undefined : Promise.reject(error)))
  const attempt = exploredRun && (await tryOn(show, exploredRun))
  if (attempt && (isReached(attempt) || (attempt.error && !usual.error))) return answer(attempt)
  const { outcome, warnings } = answer(usual)
  return { outcome, warnings: [...warnings, notReached(show)] }
}

/** Repeats the preview with the sample data of a run. */
function tryOn(show: Show, { variation }: ExploredRun): Promise<Attempt> {
  const variationSource = createVariationSource(variation, (reason) => new Error(`the preview ${reason}`))
  return attemptOn(again(show), { variationSource, counts: [1, 2, 0], variation })
}

/** Parses the call again, because the function may have modified the data of the previous run. */
function again({ call, ...show }: Show): Show {
  return { ...show, call: { ...call, event: parseEventAgain(call.event.body) } }
}

async function attemptOn(show: Show, style: ShowStyle): Promise<Attempt> {
  const { workflow, call, scope } = show
  const { payload, subscriber, env, context, actor } = call.event
  const { variationSource, counts, variation } = style
  const own = toGiven(workflow, variation)
  const isGiven = isObject(payload) && Object.keys(payload).length > 0
  const given = {
    payload: isGiven ? payload : own.given?.payload,
    subscriber: mergeGiven(own.given?.subscriber, subscriber),
    env: mergeGiven(own.given?.env, env),
    context,
    ...(actor && { actor }),
  }
  const laid = { lazy: false, counts, given, results: own.results, readable: { reads: 0 } }
  let held: (() => void)[] | undefined = []
  const tell = (): void => {
    for (const one of held ?? []) one()
    held = undefined
  }
  try {
    const runData = await createSampleRunData(workflow, variationSource, laid)
    const event = toEvent(call.event, runData)
    const resultOf = (step: StepCall, knownResult?: JsonObject): unknown =>
      sampleResult(workflow, runData, { step, knownResult })
    const sampleData = { env: runData.env, controls: runData.controls, contextOf: runData.contextOf, resultOf }
    const request = { call: { ...call, event }, scope, payload: runData.payload as JsonObject, sampleData }
    const baseScope = await toRunScope(show.registry, workflow, request)
    const onError: RunScope['onError'] = (error, code) => {
      if (held) held.push(() => baseScope.onError(error, code))
      else baseScope.onError(error, code)
    }
    const runScope = { ...baseScope, onError }
    const endGuard = guardSampleRun()
    const outcome = await run(runScope, scope.deadline).finally(endGuard)
    return { preview: { outcome, warnings: runScope.warnings ?? [] }, tell }
  } catch (error) {
    return { error, tell }
  }
}

/** Merges given data into the sample; if the sample has no actor, there is none. */
function toEvent({ actor: _actor, ...event }: ReceivedEvent, runData: SampleRunData): ReceivedEvent {
  const [subscriber, context, actor] = [runData.subscriber(), runData.context() as JsonObject, runData.actor()]
  return { ...event, subscriber, context, ...(actor && { actor }) }
}

/**
 * Returns the sample result of a step. A schema that cannot be converted has no sample, which is reported as a workflow
 * error, as in discovery.
 */
function sampleResult(
  { id }: RegisteredWorkflow,
  { resultOf }: SampleRunData,
  { step, knownResult }: { readonly step: StepCall; readonly knownResult: JsonObject | undefined },
): unknown {
  const fail = (error: unknown): never => {
    throw toDiscoveryFailure(id, new Error(`step "${step.id}": ${toThrown(error).message}`, { cause: error }))
  }
  try {
    const result = resultOf(step, knownResult)
    return result instanceof Promise ? result.catch(fail) : result
  } catch (error) {
    return fail(error)
  }
}

function isReached({ preview }: Attempt): boolean {
  return preview !== undefined && !preview.outcome.skip
}

function isBefore({ error }: Attempt): boolean {
  return isCodedError(error) && codesBefore.includes(error.code)
}

function answer({ preview, error, tell }: Attempt): Shown {
  tell()
  if (preview) return preview
  throw error
}

function notReached({ workflow, call }: Show): Warning {
  return {
    code: 'PreviewNotReached',
    message:
      `Workflow "${workflow.id}": this preview does not reach step "${call.stepId}", because its condition is false for ` +
      'the given data and for sample data. Send a payload or stored results that meet the condition, or give the ' +
      'steps whose results it reads an outputSchema.',
  }
}
