import type { PlaceValues, Variation } from './variation.ts'

/**
 * Returns the value that a variation has at a place.
 *
 * @param variation - The variation.
 * @param path - The place.
 * @param place - How many values its schema names, and further ones, which are only looked at where they count.
 */
export function chooseOf(
  { base, changes, everywhere, isInTurn }: Variation,
  path: string,
  { count, values = {} }: { readonly count: number; readonly values?: PlaceValues | undefined },
): number {
  const changed = changes.get(path)
  if (changed !== undefined && (changed < count || changed < count + (values.literals?.length ?? 0))) return changed
  const item = isInTurn ? itemOf(path) : undefined
  if (item !== undefined) {
    const near = (values.literals ?? []).flatMap(({ isNear }, index) => (isNear ? [count + index] : []))
    const index = near[item % near.length]
    if (index !== undefined) return index
  }
  if (everywhere && !everywhere.but?.has(path) && (!everywhere.isInLists || itemOf(path) !== undefined)) {
    const { literals = [] } = values
    const index = literals.findIndex(({ kind, key }) => kind === everywhere.kind && key === everywhere.key)
    if (index !== -1) return count + index
  }
  return base === 'fullest' || values.isAside || count === 0 ? 0 : count - 1
}

/**
 * Returns which item of a list a place belongs to, counting from 0; `undefined` where it is in no list.
 *
 * @param path - The place.
 */
export function itemOf(path: string): number | undefined {
  const found = /.*\/(\d+)(?=[/?#]|$)/.exec(path)
  return found ? Number(found[1]) : undefined
}

/**
 * Returns a text that is the same for variations that say the same.
 *
 * @param variation - The variation.
 */
export function keyOfVariation(variation: Variation): string {
  const { base, changes, everywhere, isInTurn, isPlain, texts = new Map() } = variation
  const byPath = ([left]: [string, unknown], [right]: [string, unknown]): number => (left < right ? -1 : 1)
  const { kind, key, isInLists } = everywhere ?? {}
  const literal = [kind, key, isInLists]
  return JSON.stringify([base, [...changes].toSorted(byPath), literal, isInTurn, isPlain, [...texts].toSorted(byPath)])
}
