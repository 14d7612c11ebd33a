import type { CompiledSchema, Verdict } from '../../schema/compiled-schema.ts'
import { isSameJson } from './is-same-json.ts'
import type { PlaceValues, VariationSource } from './variation/variation.ts'

/** The sample of a path, as tracked data and as plain data. */
export interface TwoSamples {
  readonly path: string
  /** Records which paths are read. */
  readonly variationSource: VariationSource
  /** Creates tracked data, whose reads are recorded. */
  noticed(): unknown
  /**
   * Creates plain data, whose reads are not recorded.
   *
   * @param by - Chooses the values.
   */
  plain(by: VariationSource): unknown
}

/**
 * Returns sample data after the schema has transformed it. If the schema only validates, the tracked sample is
 * unchanged. If it transforms, the transformed plain sample is used and counts as read. A sample that does not match is
 * used unchanged.
 *
 * @param schema - The schema of the path.
 * @param samples - Both forms of its sample.
 * @returns A promise only if the schema is asynchronous.
 */
export function applyTransforms(schema: CompiledSchema, samples: TwoSamples): unknown {
  if (!schema.given || !schema.transforms) return samples.noticed()
  const choices: [path: string, count: number, values: PlaceValues | undefined][] = []
  const { variationSource } = samples
  const plain = samples.plain({
    ...variationSource,
    choose(path, count, values) {
      choices.push([path, count, values])
      return variationSource.peek(path, count, values)
    },
    touch: () => undefined,
  })
  const accept = (verdict: Verdict): unknown => {
    if (verdict.issues) variationSource.refuse?.(`${samples.path}${verdict.issues[0].path}`)
    if (verdict.issues || isSameJson(verdict.value, plain)) return samples.noticed()
    for (const place of choices) variationSource.choose(...place)
    return verdict.value
  }
  const verdict = schema.check(plain)
  return verdict instanceof Promise ? verdict.then(accept) : accept(verdict)
}
