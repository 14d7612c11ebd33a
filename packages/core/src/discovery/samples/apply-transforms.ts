import type { CompiledSchema, Verdict } from '../../schema/compiled-schema.ts'
import { type FitVerdict, fitSample } from './fit-sample.ts'
import { isSameJson } from './is-same-json.ts'
import { type MadePlace, noticeReads } from './notice-reads.ts'
import type { VariationSource } from './variation/variation.ts'

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
  /** Whether some of it was given: then it is not varied to fit. */
  readonly isGiven: boolean
}

/**
 * Returns sample data in the form that code sees. Where the schema only checks, the sample stays as it is and notices
 * what is read; where it transforms, the transformed plain sample takes its place, and notices it too. Checking reads
 * everything, and counts for nothing: only what the function reads is varied. A sample that does not fit is varied until
 * it does; where it never does, it is shown as it is.
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
  const accept = ({ issues, value, plain: fitting = plain }: FitVerdict & { readonly value?: unknown }): unknown => {
    if (issues) variationSource.refuse?.(`${samples.path}${issues[0].path}`)
    if (issues || isSameJson(value, fitting)) return samples.noticed()
    return noticeReads(value, samples.path, { made, variationSource })
  }
  const choose = (verdict: Verdict): unknown =>
    verdict.issues && !samples.isGiven
      ? fitSample(plain, verdict.issues, (value) => schema.check(value)).then(accept)
      : accept(verdict)
  const verdict = schema.check(plain)
  return verdict instanceof Promise ? verdict.then(choose) : choose(verdict)
}
