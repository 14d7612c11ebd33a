import type { Dictionary } from '../../dictionary/dictionary.ts'
import { comparedWith } from '../../dictionary/tokens/surroundings.ts'

/**
 * Returns the numbers of a place that are not whole: one where that matters, and those between literals that have no whole
 * one between them.
 *
 * @param dictionary - The literals of the source text.
 * @param name - The name under which code reads the place.
 */
export function toFractions({ numbers, whole }: Dictionary, name: string): readonly number[] {
  const near = comparedWith(numbers, name).map(({ value }) => value)
  const sorted = near.toSorted((left, right) => left - right)
  const between = sorted.flatMap((value, at) => {
    const next = sorted[at + 1] ?? value
    return next > value && next - value <= 1 ? [(value + next) / 2] : []
  })
  return whole.has(name) ? [...between, 1.5] : between
}
