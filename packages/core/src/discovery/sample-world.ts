import type { JsonObject } from '@trestle/protocol'
import { type RegisteredWorkflow, schemasOf } from '../registered-workflow.ts'
import type { CompiledSchema, Verdict } from '../schema/compiled-schema.ts'
import { compileStep } from '../workflow/compiled-step.ts'
import type { StepCall } from '../workflow/step.ts'
import { stepKinds } from '../workflow/step-kinds.ts'
import type { Chooser } from './chooser.ts'
import { forgive } from './forgiving.ts'
import { overlay } from './overlay.ts'
import { isSameData } from './same-data.ts'
import { type SamplePlace, sampleOf, toSample } from './sample.ts'
import { subscriberSchema } from './subscriber-schema.ts'

// From this call of one id pattern on the values of its results are rotated, so that a loop on any of them ends.
const rotateFrom = 4

/** The sample data one run sees. */
export interface SampleWorld {
  readonly payload: unknown
  readonly subscriber: JsonObject
  readonly env: unknown
  readonly controls: unknown
  readonly context: unknown
  readonly actor: JsonObject
  /**
   * Gives the sample result of a step; a promise only where its schema is asynchronous.
   *
   * @param call - The step.
   * @param given - What is known of the result; it wins.
   */
  resultOf(call: StepCall, given?: JsonObject): unknown
}

/** How sample data is made. */
export interface SampleStyle {
  /** Whether reads must be noticed; a preview wants plain data. */
  readonly lazy: boolean
  /** How many items lists can have. */
  readonly counts: readonly number[]
  /** What the call brought; it wins over sample data, field by field. */
  readonly given?: Partial<Record<'payload' | 'subscriber' | 'env' | 'context' | 'actor', unknown>>
}

/**
 * Makes the sample data of one run. Nothing is made before it is read.
 *
 * @param workflow - The workflow, for its schemas.
 * @param chooser - Chooses and remembers.
 * @param style - For discovery or for a preview.
 */
export async function createSampleWorld(
  workflow: RegisteredWorkflow,
  chooser: Chooser,
  { lazy, counts, given = {} }: SampleStyle,
): Promise<SampleWorld> {
  const schemas = schemasOf(workflow)
  const patterns = new Map<string, number>()
  const at = (root: unknown, path: string, by: Chooser = chooser): SamplePlace => ({
    chooser: by,
    root,
    path,
    name: path.split('/').at(-1) ?? path,
    suffix: '',
    depth: 0,
    lazy,
    counts,
    unknown: (place) => unknownAt(place, by),
  })
  const unknownAt = (place: string, by: Chooser): unknown => {
    if (/^steps\/[^/]+\/events\/\d+\/payload$/.test(place)) return ofSchema(schemas.payload, place, by)
    return lazy ? forgive(by, place) : {}
  }
  const ofSchema = (schema: CompiledSchema, path: string, by: Chooser = chooser): unknown => {
    if (!schema.given) return lazy ? forgive(by, path) : {}
    return sampleOf(schema.jsonSchema(), at(schema.jsonSchema(), path, by))
  }
  return {
    payload: await toOutput(schemas.payload, () => overlay(ofSchema(schemas.payload, 'payload'), given.payload)),
    subscriber: overlay(sampleOf(subscriberSchema, at(subscriberSchema, 'subscriber')), given.subscriber) as JsonObject,
    actor: overlay(sampleOf(subscriberSchema, at(subscriberSchema, 'actor')), given.actor) as JsonObject,
    env: await toOutput(schemas.env, () => overlay(ofSchema(schemas.env, 'env'), given.env)),
    controls: schemas.controls.given
      ? await toDefaults(schemas.controls, () => ofSchema(schemas.controls, 'controls'))
      : {},
    context: lazy ? forgive(chooser, 'context') : overlay({}, given.context),
    resultOf(call, known) {
      const compiled = compileStep(workflow.steps, call).result
      const { empty, result } = stepKinds[call.kind]
      const own = call.kind === 'custom' || call.kind === 'httpRequest'
      if (!result && !own) return overlay(structuredClone(empty), known)
      const pattern = `${call.kind}:${call.id.replace(/\d+/g, '#')}`
      const count = (patterns.get(pattern) ?? 0) + 1
      patterns.set(pattern, count)
      const path = `steps/${call.id}`
      const by = count < rotateFrom ? chooser : rotate(chooser, count - rotateFrom + 1)
      const sample = (): unknown => overlay(ofSchema(compiled, path, by), known)
      const make = (): unknown => (own ? toOutput(compiled, sample) : sample())
      const loading = compiled.prepare()
      return loading instanceof Promise ? loading.then(make) : make()
    },
  }
}

function rotate(chooser: Chooser, by: number): Chooser {
  return {
    choose: (path, count, preferred) => (chooser.choose(path, count, preferred) + by) % count,
    touch: chooser.touch,
  }
}

/** Gives sample data the form that code sees, where the schema has transforms; else leaves it as it notices reads. */
function toOutput(schema: CompiledSchema, make: () => unknown): unknown {
  if (!schema.given) return make()
  const plain = toSample(schema.jsonSchema())
  const probed = schema.check(plain)
  if (probed instanceof Promise) return probed.then((verdict) => transform(schema, make, isChanged(verdict, plain)))
  return transform(schema, make, isChanged(probed, plain))
}

function isChanged(verdict: Verdict, plain: unknown): boolean {
  return !verdict.issues && !isSameData(verdict.value, plain)
}

async function transform(schema: CompiledSchema, make: () => unknown, changed: boolean): Promise<unknown> {
  const sample = make()
  if (!changed) return sample
  const verdict = await schema.check(structuredClone(sample))
  return verdict.issues ? sample : verdict.value
}

async function toDefaults(schema: CompiledSchema, sample: () => unknown): Promise<unknown> {
  const verdict = await schema.check({})
  return verdict.issues ? sample() : verdict.value
}
