import type { PlaceValues, Variation } from './variation.ts'

/**
 * Returns the index of the value that a variation selects for a path.
 *
 * @param variation - The variation.
 * @param path - The path of the value.
 * @param place - The number of possible values.
 */
export function chooseOf(
  { base, changes }: Variation,
  path: string,
  { count, literals = 0, isAside }: PlaceValues & { readonly count: number },
): number {
  const changed = changes.get(path)
  if (changed !== undefined && changed < count + literals) return changed
  return base === 'fullest' || isAside || count === 0 ? 0 : count - 1
}

/**
 * Returns a key that is equal for equivalent variations.
 *
 * @param variation - The variation.
 */
export function keyOfVariation({ base, changes, sample }: Variation): string {
  return JSON.stringify([base, sample, [...changes].toSorted(([left], [right]) => (left < right ? -1 : 1))])
}
