import type { CompiledSchema, Verdict } from '../../schema/compiled-schema.ts'
import { isSameJson } from './is-same-json.ts'
import type { PlaceValues, VariationSource } from './variation/variation.ts'

/** The sample of a place, as data whose reads are noticed and as plain data. */
export interface TwoSamples {
  /** The place. */
  readonly path: string
  /** Notices what is read. */
  readonly variationSource: VariationSource
  /** Makes data whose reads are noticed. */
  noticed(): unknown
  /**
   * Makes plain data.
   *
   * @param by - Chooses the values.
   */
  plain(by: VariationSource): unknown
}

/**
 * Returns sample data in the form that code sees. If the schema only checks, the sample stays as it is and notices what is
 * read. If it transforms, the transformed plain sample takes its place, and counts as read. A sample that does not fit is
 * shown as it is.
 *
 * @param schema - The place's schema.
 * @param samples - Both forms of its sample.
 * @returns A promise only if the schema is asynchronous.
 */
export function applyTransforms(schema: CompiledSchema, samples: TwoSamples): unknown {
  if (!schema.given || !schema.transforms) return samples.noticed()
  const made: [path: string, count: number, values: PlaceValues | undefined][] = []
  const { variationSource } = samples
  const plain = samples.plain({
    ...variationSource,
    choose(path, count, values) {
      made.push([path, count, values])
      return variationSource.peek(path, count, values)
    },
    touch: () => undefined,
  })
  const accept = (verdict: Verdict): unknown => {
    if (verdict.issues) variationSource.refuse?.(`${samples.path}${verdict.issues[0].path}`)
    if (verdict.issues || isSameJson(verdict.value, plain)) return samples.noticed()
    for (const place of made) variationSource.choose(...place)
    return verdict.value
  }
  const verdict = schema.check(plain)
  return verdict instanceof Promise ? verdict.then(accept) : accept(verdict)
}
