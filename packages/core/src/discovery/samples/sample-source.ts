import type { CompiledSchema } from '../../schema/compiled-schema.ts'
import { memoizeSample } from './sample-cache.ts'
import { createPermissiveProxy } from './values/permissive-proxy.ts'
import { sampleOf } from './values/sample.ts'
import { createSampleBudget } from './values/sample-location.ts'
import { previewValues, type VariationSource } from './values/variation.ts'

/** How sample data is made. */
export interface SampleStyle {
  /** Whether reads must be noticed; a preview wants plain data. */
  readonly lazy: boolean
  /** How many items lists can have. */
  readonly counts: readonly number[]
}

/** Creates sample data by schema, for the places of one run. */
export interface SampleSource {
  /** As {@link SampleSource.ofSchema}, for a JSON Schema. */
  ofJsonSchema(schema: unknown, path: string): unknown
  /**
   * Creates the sample of a place.
   *
   * @param schema - Where none was given, the sample answers whatever it is asked, or is an empty object in a preview.
   * @param path - The place.
   * @param by - Chooses instead of the run's own variationSource.
   */
  ofSchema(schema: CompiledSchema, path: string, by?: VariationSource): unknown
}

/** The payloads of a digest's events are those of the workflow's own triggers. */
const eventPayload = /^steps\/[^/]+\/events\/\d+\/payload$/

/**
 * Creates the source of one run's sample data.
 *
 * @param payload - The workflow's payload schema.
 * @param variationSource - Chooses and remembers.
 * @param style - For discovery or for a preview.
 */
export function createSampleSource(
  payload: CompiledSchema,
  variationSource: VariationSource,
  style: SampleStyle,
): SampleSource {
  const unknownAt = (path: string, by: VariationSource): unknown => {
    if (payload.given && eventPayload.test(path)) return make(payload.jsonSchema(), path, by)
    return style.lazy ? createPermissiveProxy(by, path) : {}
  }
  const make = (schema: unknown, path: string, by: VariationSource): unknown =>
    sampleOf(schema, {
      variationSource: by,
      root: schema,
      path,
      name: path.split('/').at(-1) ?? path,
      suffix: '',
      depth: 0,
      followed: [],
      budget: createSampleBudget(),
      lazy: style.lazy,
      counts: style.counts,
      unknown: (place) => unknownAt(place, by),
    })
  const give = (schema: unknown, path: string, by: VariationSource): unknown =>
    by === previewValues && !style.lazy
      ? memoizeSample(payload, { schema, path }, () => make(schema, path, by))
      : make(schema, path, by)
  return {
    ofJsonSchema: (schema, path) => give(schema, path, variationSource),
    ofSchema: (schema, path, by = variationSource) =>
      schema.given ? give(schema.jsonSchema(), path, by) : unknownAt(path, by),
  }
}
