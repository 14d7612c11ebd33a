import { isObject } from '../../base/json.ts'
import type { CompiledSchema } from '../../schema/compiled-schema.ts'
import { applyTransforms } from './apply-transforms.ts'
import { mergeGiven } from './merge-given.ts'
import { createSampleSource, type SampleSource, type SampleStyle } from './sample-source.ts'
import type { VariationSource } from './variation/variation.ts'

/** What a place of sample data is made with. */
export interface ViewOptions {
  /** What is known of the value; it wins. */
  readonly known?: unknown
  /** Chooses instead of the run's own source. */
  readonly by?: VariationSource
}

/** The sample data of one run, place by place. */
export interface SampleView {
  /** As it is made. */
  readonly source: SampleSource
  /** As plain data, which is what a schema checks. */
  plain(): SampleSource
  /**
   * Makes the sample of a place as code sees it.
   *
   * @param schema - Its schema.
   * @param path - The place.
   * @param options - What is known of it, and what chooses.
   * @returns A promise only where the schema is asynchronous.
   */
  view(schema: CompiledSchema, path: string, options: ViewOptions): unknown
}

/**
 * Creates the view of one run's sample data.
 *
 * @param payload - The workflow's payload schema.
 * @param variationSource - Chooses and remembers.
 * @param style - For discovery or for a preview.
 */
export function createSampleView(
  payload: CompiledSchema,
  variationSource: VariationSource,
  style: SampleStyle,
): SampleView {
  const source = createSampleSource(payload, variationSource, style)
  const { unknowns } = style
  let made: SampleSource | undefined
  const plain = (): SampleSource => {
    const { unknowns: _unknowns, ...rest } = style
    made ??= createSampleSource(payload, variationSource, { ...rest, lazy: false })
    return made
  }
  const noticed = (schema: CompiledSchema, path: string, { known, by }: ViewOptions): unknown =>
    schema.given || !unknowns
      ? mergeGiven(source.ofSchema(schema, path, by), known)
      : source.ofUnknown(path, { known, by })
  return {
    source,
    plain,
    view(schema, path, options) {
      if (!schema.given || !schema.transforms) return noticed(schema, path, options)
      const { known, by } = options
      return applyTransforms(schema, {
        path,
        variationSource: by ?? variationSource,
        isGiven: isObject(known) && Object.keys(known).length > 0,
        noticed: () => noticed(schema, path, options),
        plain: (chooser) => mergeGiven(plain().ofSchema(schema, path, variationSource.isFixed ? by : chooser), known),
      })
    },
  }
}
