import { isObject, type JsonObject } from '@trestle/protocol'
import type { CompiledSchema } from '../../schema/compiled-schema.ts'
import { type NearLiterals, noLiterals } from '../text/near-literals.ts'
import { applyTransforms } from './apply-transforms.ts'
import { mergeGiven } from './merge-given.ts'
import { fillRequired } from './values/fill-required.ts'
import type { Readable } from './values/permissive/node.ts'
import { createPermissiveProxy } from './values/permissive/permissive-proxy.ts'
import { sampleOf } from './values/sample.ts'
import { createSampleBudget, type SampleLocation } from './values/sample-location.ts'
import type { VariationSource } from './variation/variation.ts'

/** The style of sample data. */
export interface SampleStyle {
  /** Whether reads are recorded; a preview uses plain data instead. */
  readonly lazy: boolean
  /** The possible numbers of items in a list. */
  readonly counts: readonly number[]
  /** Literals from the source text. @default none */
  readonly literals?: NearLiterals
  /** How data without a schema is displayed; only set for a preview. @default it is an empty object */
  readonly readable?: Readable
}

/** Options for one path of sample data. */
export interface ViewOptions {
  /** The known part of the value, which overrides the sample. */
  readonly knownData?: unknown
  /** Selects values in place of the run's own source. */
  readonly by?: VariationSource
}

/** Creates sample data from schemas, for the paths of one run. */
export interface SampleSource {
  /** Creates a sample for a JSON Schema. */
  ofJsonSchema(schema: unknown, path: string): unknown
  /**
   * Creates the sample of a path, transformed by its schema.
   *
   * @param schema - The schema of the path; if there is none, the sample supports any read.
   * @param path - The path of the value.
   * @param options - The known data, and the value source.
   * @returns A promise only if the schema is asynchronous.
   */
  ofSchema(schema: CompiledSchema, path: string, options?: ViewOptions): unknown
  /**
   * Fills in the missing parts of given data.
   *
   * @param schema - The schema of the data.
   * @param path - The path.
   * @param given - The data, which is not modified.
   */
  fill(schema: CompiledSchema, path: string, given: unknown): unknown
}

/** Matches payloads of digest events, which have the schema of the workflow's own payload. */
const eventPayload = /^steps\/[^/]+\/events\/\d+\/payload$/

const atRoot = { suffix: '', depth: 0, followed: [], isMinimal: false } as const

/** The JSON of preview samples by schema and path, cached because it is always the same. */
const previewCache = new WeakMap<JsonObject, Map<string, string>>()
const maxShown = 1000

/** Returns a copy of the cached preview sample. Samples with values that no schema describes are not cached. */
function shownOnce(schema: JsonObject, place: SampleLocation): unknown {
  const key = `${place.path} ${place.counts} ${place.variationSource.turns}`
  const jsonByKey = previewCache.get(schema) ?? new Map<string, string>()
  const json = jsonByKey.get(key)
  if (json !== undefined) return JSON.parse(json)
  let isDescribed = true
  const unknown = (path: string): unknown => {
    isDescribed = false
    return place.unknown(path)
  }
  const value = sampleOf(schema, { ...place, unknown })
  if (!isDescribed || value === undefined) return value
  const newJson = JSON.stringify(value)
  if (jsonByKey.size < maxShown) previewCache.set(schema, jsonByKey.set(key, newJson))
  return JSON.parse(newJson)
}

/**
 * Creates the source of one run's sample data.
 *
 * @param payload - The workflow's payload schema.
 * @param variationSource - Selects values, and records reads.
 * @param style - The style: for discovery or for a preview.
 */
export function createSampleSource(
  payload: CompiledSchema,
  variationSource: VariationSource,
  style: SampleStyle,
): SampleSource {
  const { literals = noLiterals, readable } = style
  const unknownAt = (path: string, by: VariationSource, knownData?: JsonObject): unknown => {
    // A preview reads the events of a digest as a run does.
    if (payload.given && eventPayload.test(path)) {
      const event = style.lazy ? transformed(payload, path, { by }) : undefined
      return event === undefined || event instanceof Promise ? sample(payload, path, { by }) : event
    }
    return style.lazy || readable ? createPermissiveProxy(by, path, { literals, readable, knownData }) : {}
  }
  const toLocation = (root: unknown, path: string, by: VariationSource): SampleLocation => ({
    ...{ variationSource: by, root, path, name: path.split('/').at(-1) ?? path },
    ...{ ...atRoot, budget: createSampleBudget(), lazy: style.lazy, counts: style.counts, literals },
    unknown: (place) => unknownAt(place, by),
  })
  const give = (schema: unknown, path: string, by: VariationSource): unknown => {
    const place = toLocation(schema, path, by)
    return by.isFixed && isObject(schema) ? shownOnce(schema, place) : sampleOf(schema, place)
  }
  const sample = (schema: CompiledSchema, path: string, { knownData, by = variationSource }: ViewOptions): unknown => {
    if (schema.given) return mergeGiven(give(schema.jsonSchema(), path, by), knownData)
    // A displayed sample contains the known data, and is readable.
    return readable
      ? unknownAt(path, by, knownData as JsonObject | undefined)
      : mergeGiven(unknownAt(path, by), knownData)
  }
  const transformed = (
    schema: CompiledSchema,
    path: string,
    { knownData, by = variationSource }: ViewOptions,
  ): unknown =>
    applyTransforms(schema, {
      path,
      variationSource: by,
      noticed: () => sample(schema, path, { knownData, by }),
      plain: (chooser) => {
        const root = schema.jsonSchema()
        const location = toLocation(root, path, by.isFixed ? by : chooser)
        return mergeGiven(sampleOf(root, { ...location, lazy: false, unknown: () => ({}) }), knownData)
      },
    })
  return {
    ofJsonSchema: (schema, path) => give(schema, path, variationSource),
    ofSchema: (schema, path, options = {}) =>
      schema.given && schema.transforms ? transformed(schema, path, options) : sample(schema, path, options),
    fill(schema, path, given) {
      const root = schema.jsonSchema()
      return fillRequired(root, given, toLocation(root, path, variationSource))
    },
  }
}
