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
 * Returns a source that selects later values, so that loops that depend on any of them end.
 *
 * @param source - The source to rotate.
 * @param turns - The number of positions to advance.
 */
export function rotate(source: VariationSource, turns: number): VariationSource {
  const cachedSource = source === previewValues ? rotated[turns] : undefined
  if (cachedSource) return cachedSource
  // Literals are rotated too, because an unchanged literal would keep a loop running.
  const further = (chosen: number, count: number): number => (chosen < count ? chosen + turns : turns) % count
  const rotatedSource: VariationSource = {
    ...source,
    turns,
    choose: (path, count, values) => further(source.choose(path, count, values), count),
    peek: (path, count, values) => further(source.peek(path, count, values), count),
  }
  if (source === previewValues) rotated[turns] = rotatedSource
  return rotatedSource
}
