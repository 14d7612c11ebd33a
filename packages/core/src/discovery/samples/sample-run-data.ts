import { isObject, type JsonObject } from '@trestle/protocol'
import { controlsOf, type RegisteredWorkflow, schemasOf } from '../../bridge/registered-workflow.ts'
import { compileSchema } from '../../schema/compile-schema.ts'
import type { CompiledSchema, Verdict } from '../../schema/compiled-schema.ts'
import type { StepContext } from '../../workflow/kinds/signature.ts'
import { resultSchemaOf } from '../../workflow/steps/compiled-step.ts'
import type { StepCall } from '../../workflow/steps/step-call.ts'
import { isShapedByOption, stepKinds } from '../../workflow/steps/step-kinds.ts'
import { nearLiteralsOf } from '../text/near-literals.ts'
import { mergeGiven } from './merge-given.ts'
import { isCompleted, toSampleContext } from './sample-context.ts'
import { createSampleSource, type SampleSource, type SampleStyle } from './sample-source.ts'
import { actorSchemas, personDataSchema, subscriberSchemas } from './subscriber-schema.ts'
import { previewValues, rotate } from './variation/preview-values.ts'
import type { Variation, VariationSource } from './variation/variation.ts'

// Starting with this call of an id pattern, its result values are rotated, so that a loop over them ends.
const rotateFrom = 4
const aside = { isAside: true } as const
const noSchema = compileSchema(undefined)

/** The sample data of one run. */
export interface SampleRunData {
  readonly payload: unknown
  readonly env: unknown
  readonly controls: unknown
  /** Creates the sample recipient. */
  subscriber(): JsonObject
  /** Creates the sample actor. */
  actor(): JsonObject | undefined
  /** Creates the sample contexts. */
  context(): unknown
  /**
   * Returns the sample result of a step; a promise only if its schema is asynchronous.
   *
   * @param call - The call of the step.
   * @param given - The known part of the result, which overrides the sample.
   */
  resultOf(call: StepCall, given?: JsonObject): unknown
  /**
   * Returns the outcome of a step; `undefined` if it is not varied.
   *
   * @param call - The step.
   */
  contextOf(call: StepCall): StepContext | undefined
  /**
   * Returns a step's position in the completion order, from 0; infinity if it has no stored result.
   *
   * @param call - The step.
   */
  rankOf?(call: StepCall): number
}

/** The sample data of a preview run, in addition to the data of the call. */
export type ShownRunData = Pick<SampleRunData, 'env' | 'controls' | 'contextOf' | 'resultOf'>

/** Data that overrides sample data, field by field. */
export type GivenData = Partial<Record<'payload' | 'subscriber' | 'env' | 'context' | 'actor', unknown>>

/** Data provided for a run. */
export interface GivenRunData {
  readonly given?: GivenData
  /** Results by step id. */
  readonly results?: Readonly<Record<string, JsonObject>> | undefined
}

/**
 * Returns the data that the developer defined for a run.
 *
 * @param workflow - The workflow, with its samples.
 * @param variation - Selects one of the samples.
 */
export function toGiven({ options: { samples = [] } }: RegisteredWorkflow, { sample }: Variation): GivenRunData {
  const own = sample === undefined ? undefined : samples[sample]
  if (!own) return {}
  const { results, ...given } = own
  return { given, results }
}

/**
 * Creates the sample data of one run. Tracked data is created when it is read.
 *
 * @param workflow - The workflow, with prepared schemas.
 * @param variationSource - Selects values, and records reads.
 * @param form - The style, for discovery or for a preview, and given data and results.
 * @throws CodedError - `WorkflowDiscoveryFailedError`: a control has no default.
 */
export async function createSampleRunData(
  workflow: RegisteredWorkflow,
  variationSource: VariationSource,
  form: SampleStyle & GivenRunData,
): Promise<SampleRunData> {
  const { given = {}, results = {} } = form
  const style = toStyle(workflow, variationSource, form)
  const schemas = schemasOf(workflow)
  const source = createSampleSource(schemas.payload, variationSource, style)
  const counts = new Map<string, number>()
  const toPerson = (path: 'subscriber' | 'actor'): JsonObject => {
    const { person, withoutData } = path === 'actor' ? actorSchemas : subscriberSchemas
    const sample = source.ofJsonSchema(style.lazy ? person : withoutData, path) as JsonObject
    if (style.lazy) mayLackData(sample, () => variationSource.choose(`${path}/data?`, 2, aside) === 1)
    else sample['data'] = source.ofJsonSchema(personDataSchema, `${path}/data`)
    return mergeGiven(sample, given[path]) as JsonObject
  }
  const payload = toPayload(schemas.payload, given.payload, source)
  const env = source.ofSchema(schemas.env, 'env', { knownData: given.env })
  return {
    payload: payload instanceof Promise ? await payload : payload,
    env: env instanceof Promise ? await env : env,
    controls: await controlsOf(workflow),
    subscriber: () => toPerson('subscriber'),
    // A real event may lack an actor. Code that reads it without a check must not fail on all empty samples, so its
    // absence is only a variation.
    actor: () =>
      given.actor === undefined && variationSource.choose('actor?', 2, aside) === 1 ? undefined : toPerson('actor'),
    context: () => source.ofSchema(noSchema, 'context', { knownData: given.context }),
    contextOf: (call) => (variationSource.isFixed ? undefined : toSampleContext(call, variationSource)),
    resultOf(call, knownResult = Object.hasOwn(results, call.id) ? results[call.id] : undefined) {
      if (!variationSource.isFixed && !isCompleted(call, variationSource))
        return structuredClone(stepKinds[call.kind].empty)
      const schema = resultSchemaOf(workflow.steps, call, style.lazy)
      if (!schema.given && !isShapedByOption(call.kind))
        return mergeGiven(structuredClone(stepKinds[call.kind].empty), knownResult)
      if (isAll(schema, style, knownResult)) return structuredClone(knownResult)
      // The part of the kind and id that all calls in a loop share.
      const pattern = `${call.kind}:${call.id.replace(/\d+/g, '#')}`
      const by = toVariationSourceOfCall(variationSource, counts, pattern)
      const isCounted = call.kind === 'digest' && variationSource === previewValues
      const options = { knownData: isCounted ? withEventCount(knownResult, style.counts) : knownResult, by }
      const make = (): unknown => source.ofSchema(schema, `steps/${call.id}`, options)
      const loading = schema.prepare()
      return loading ? loading.then(make) : make()
    },
  }
}

/**
 * Makes the custom data of a person optional, because real events may lack it; its absence is only a variation, as for
 * the actor.
 */
function mayLackData(person: unknown, isAbsent: () => boolean): void {
  const { get, ...rest } = (isObject(person) && Object.getOwnPropertyDescriptor(person, 'data')) || {}
  if (!get) return
  Object.defineProperty(person, 'data', { ...rest, get: () => (isAbsent() ? undefined : get()) })
}

/** Literals from the source text are only used if runs are varied. */
function toStyle(workflow: RegisteredWorkflow, variationSource: VariationSource, form: SampleStyle): SampleStyle {
  return variationSource === previewValues ? form : { ...form, literals: nearLiteralsOf(workflow) }
}

/** Returns whether the known result is complete. Without a schema, it always is. */
function isAll({ given }: CompiledSchema, { readable }: SampleStyle, knownResult: JsonObject | undefined): boolean {
  return !given && readable !== undefined && knownResult !== undefined && Object.keys(knownResult).length > 0
}

/** Returns the payload: a given one with its missing required fields filled in, otherwise a sample. */
function toPayload(schema: CompiledSchema, given: unknown, source: SampleSource): unknown {
  if (!isObject(given) || Object.keys(given).length === 0) return source.ofSchema(schema, 'payload')
  if (!schema.given) return given
  // If the schema only validates, a valid value is complete; a transforming schema may replace a missing value with
  // something else.
  const judged = schema.transforms ? undefined : schema.check(given)
  if (judged && !(judged instanceof Promise) && !judged.issues) return judged.value
  const filled = source.fill(schema, 'payload', given)
  const accept = (verdict: Verdict): unknown => (verdict.issues ? filled : verdict.value)
  const verdict = schema.check(filled)
  return verdict instanceof Promise ? verdict.then(accept) : accept(verdict)
}

/** Adds the event count to a displayed digest; in other digests, the count is varied separately. */
function withEventCount(knownResult: JsonObject | undefined, [count]: readonly number[]): JsonObject {
  const events = knownResult?.['events']
  return { eventCount: Array.isArray(events) ? events.length : (count ?? 0), ...knownResult }
}

function toVariationSourceOfCall(
  variationSource: VariationSource,
  counts: Map<string, number>,
  pattern: string,
): VariationSource {
  const count = (counts.get(pattern) ?? 0) + 1
  counts.set(pattern, count)
  const turns = count - rotateFrom + 1
  return turns <= 0 ? variationSource : rotate(variationSource, turns)
}
