import type { CompiledSchema, Verdict } from '../../schema/compiled-schema.ts'
import { isSameJson } from './is-same-json.ts'

/** The sample of a place, as data whose reads are noticed and as plain data. */
export interface TwoSamples {
  readonly noticed: () => unknown
  readonly plain: () => unknown
}

/**
 * Returns sample data the form that code sees. Where the schema only checks, the sample stays as it is and notices what
 * is read; where it transforms, the transformed plain sample takes its place.
 *
 * @param schema - The place's schema.
 * @param samples - Both forms of its sample.
 * @returns A promise only where the schema is asynchronous.
 */
export function applyTransforms(schema: CompiledSchema, samples: TwoSamples): unknown {
  if (!schema.given || !schema.transforms) return samples.noticed()
  const plain = samples.plain()
  const verdict = schema.check(plain)
  return verdict instanceof Promise
    ? verdict.then((judged) => choose(judged, plain, samples))
    : choose(verdict, plain, samples)
}

function choose(verdict: Verdict, plain: unknown, samples: TwoSamples): unknown {
  // A sample that does not fit (a pattern cannot be guessed) is shown as it is.
  return verdict.issues || isSameJson(verdict.value, plain) ? samples.noticed() : verdict.value
}
