import type { CompiledSchema, Verdict } from '../../schema/compiled-schema.ts'
import { isSameJson } from './is-same-json.ts'
import { type MadePlace, noticeReads } from './notice-reads.ts'
import type { VariationSource } from './values/variation.ts'

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
 * Returns sample data in the form that code sees. Where the schema only checks, the sample stays as it is and notices
 * what is read; where it transforms, the transformed plain sample takes its place, and notices it too. Checking reads
 * everything, and counts for nothing: only what the function reads is varied.
 *
 * @param schema - The place's schema.
 * @param samples - Both forms of its sample.
 * @returns A promise only where the schema is asynchronous.
 */
export function applyTransforms(schema: CompiledSchema, samples: TwoSamples): unknown {
  if (!schema.given || !schema.transforms) return samples.noticed()
  const made: MadePlace[] = []
  const { variationSource } = samples
  const plain = samples.plain({
    choose(path, count, values) {
      made.push({ path, count, values })
      return variationSource.peek(path, count, values)
    },
    peek: variationSource.peek,
    touch: () => undefined,
  })
  const choose = (verdict: Verdict): unknown => {
    // A sample that does not fit (a pattern cannot be guessed) is shown as it is.
    if (verdict.issues || isSameJson(verdict.value, plain)) return samples.noticed()
    return noticeReads(verdict.value, samples.path, { made, variationSource })
  }
  const verdict = schema.check(plain)
  return verdict instanceof Promise ? verdict.then(choose) : choose(verdict)
}
