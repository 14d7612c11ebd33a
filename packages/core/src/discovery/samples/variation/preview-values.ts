import type { PlaceValues, VariationSource } from './variation.ts'

const preferredOf = (_path: string, _count: number, { preferred = 0 }: PlaceValues = {}): number => preferred

/** Selects the best value for display: defaults and examples, otherwise the fullest value. */
export const previewValues: VariationSource = Object.freeze({
  choose: preferredOf,
  peek: preferredOf,
  touch: () => undefined,
  isFixed: true,
})

const rotated: VariationSource[] = []

/**
 * Returns a source that selects later values, so that a loop on any of them ends.
 *
 * @param source - The source.
 * @param turns - The number of positions to advance.
 */
export function rotate(source: VariationSource, turns: number): VariationSource {
  const known = source === previewValues ? rotated[turns] : undefined
  if (known) return known
  // A literal, too, would keep a loop going.
  const further = (chosen: number, count: number): number => (chosen < count ? chosen + turns : turns) % count
  const made: VariationSource = {
    ...source,
    turns,
    choose: (path, count, values) => further(source.choose(path, count, values), count),
    peek: (path, count, values) => further(source.peek(path, count, values), count),
  }
  if (source === previewValues) rotated[turns] = made
  return made
}
