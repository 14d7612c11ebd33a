import type { JsonObject } from '@trestle/protocol'
import { isObject } from '../../base/json.ts'
import type { CompiledSchema } from '../../schema/compiled-schema.ts'
import { type NearLiterals, noLiterals } from '../text/near-literals.ts'
import { applyTransforms } from './apply-transforms.ts'
import { mergeGiven } from './merge-given.ts'
import { memoizeSample, type SampleParts } from './sample-cache.ts'
import type { ShownUnknowns } from './shown-unknowns.ts'
import { fillRequired } from './values/fill-required.ts'
import { createPermissiveProxy } from './values/permissive/permissive-proxy.ts'
import { sampleOf } from './values/sample.ts'
import { createSampleBudget, type SampleLocation } from './values/sample-location.ts'
import type { VariationSource } from './variation/variation.ts'

/** How sample data is made. */
export interface SampleStyle {
  /** Whether reads must be noticed; a preview wants plain data. */
  readonly lazy: boolean
  /** How many items lists can have. */
  readonly counts: readonly number[]
  /** Literals of the function's text. @default none */
  readonly literals?: NearLiterals
  /** Whether optional fields without a default stay absent. @default false */
  readonly isMinimal?: boolean
  /** What a preview shows where there is no schema. @default an empty object */
  readonly unknowns?: ShownUnknowns
}

/** Creates sample data by schema, for the places of one run. */
export interface SampleSource {
  /** As {@link SampleSource.ofSchema}, for a JSON Schema. */
  ofJsonSchema(schema: unknown, path: string): unknown
  /**
   * Creates the sample of a place.
   *
   * @param schema - Where none was given, the sample answers whatever it is asked, or is an empty object where reads need
   *   not be noticed.
   * @param path - The place.
   * @param by - Chooses instead of the run's own variationSource.
   */
  ofSchema(schema: CompiledSchema, path: string, by?: VariationSource): unknown
  /**
   * Creates the sample of a place without a schema.
   *
   * @param path - The place.
   * @param options - What is known of it, which wins; what chooses instead of the run's own variationSource.
   */
  ofUnknown(path: string, options: { readonly known?: unknown; readonly by?: VariationSource | undefined }): unknown
  /**
   * Fills in what given data lacks.
   *
   * @param schema - Its schema.
   * @param path - The place.
   * @param given - The data; it is not changed.
   */
  fill(schema: CompiledSchema, path: string, given: unknown): unknown
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
  const { literals = noLiterals, isMinimal = false } = style
  const unknownAt = (path: string, by: VariationSource, known?: JsonObject): unknown => {
    if (payload.given && eventPayload.test(path))
      return eventPayloadAt(path, { payload, by, style, noticed: () => give(payload.jsonSchema(), path, by) })
    if (style.lazy) return createPermissiveProxy(by, path, { literals })
    return style.unknowns?.show(path, { variationSource: by, literals, known }) ?? {}
  }
  const toLocation = (root: unknown, path: string, by: VariationSource): SampleLocation => ({
    variationSource: by,
    root,
    path,
    name: path.split('/').at(-1) ?? path,
    suffix: '',
    depth: 0,
    followed: [],
    budget: createSampleBudget(),
    lazy: style.lazy,
    counts: style.counts,
    literals,
    isMinimal,
    unknown: (place, toField) =>
      toField ? createPermissiveProxy(by, place, { literals, toField }) : unknownAt(place, by),
  })
  const give = (schema: unknown, path: string, by: VariationSource): unknown => {
    if (!by.isFixed || style.lazy || isMinimal) return sampleOf(schema, toLocation(schema, path, by))
    return memoizeSample(payload, { schema, path, by }, parts)
  }
  const parts: SampleParts = {
    make: ({ schema, path, by }, unknown) => sampleOf(schema, { ...toLocation(schema, path, by), unknown }),
    fill: unknownAt,
  }
  return {
    ofJsonSchema: (schema, path) => give(schema, path, variationSource),
    ofSchema: (schema, path, by = variationSource) =>
      schema.given ? give(schema.jsonSchema(), path, by) : unknownAt(path, by),
    ofUnknown: (path, { known, by = variationSource }) =>
      style.unknowns && isObject(known) ? unknownAt(path, by, known) : mergeGiven(unknownAt(path, by), known),
    fill: (schema, path, given) =>
      schema.given
        ? fillRequired(schema.jsonSchema(), given, toLocation(schema.jsonSchema(), path, variationSource))
        : given,
  }
}

interface EventPayloadOptions {
  readonly payload: CompiledSchema
  readonly by: VariationSource
  readonly style: SampleStyle
  /** Makes the sample in the form in which it is sent. */
  noticed(): unknown
}

/** The payload of a digest's event in the form in which a run reads it. */
function eventPayloadAt(path: string, { payload, by, style, noticed }: EventPayloadOptions): unknown {
  // A preview reads its events as a run does.
  if (!style.lazy) return noticed()
  const plain = createSampleSource(payload, by, { ...style, lazy: false })
  const read = applyTransforms(payload, {
    path,
    variationSource: by,
    noticed,
    plain: (chooser: VariationSource) => plain.ofSchema(payload, path, by.isFixed ? by : chooser),
    isGiven: false,
  })
  return read instanceof Promise ? noticed() : read
}
