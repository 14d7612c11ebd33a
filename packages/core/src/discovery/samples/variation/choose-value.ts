import type { LiteralValue, PlaceValues, Variation } from './variation.ts'

/** Lists of so many items may be long at once, and within each other; longer ones would take too long together. */
export const maxShort = 12

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
  const item = isInTurn || everywhere ? itemOf(path) : undefined
  // Each item of a list has such a list, and each item of that one may have one, too: they would multiply.
  const isShort = ({ value }: LiteralValue): boolean =>
    !values.isList || item === undefined || Number(value) <= maxShort
  if (isInTurn && item !== undefined) {
    const near = (values.literals ?? []).flatMap((literal, index) =>
      literal.isNear && isShort(literal) ? [count + index] : [],
    )
    const index = near[(isInTurn === 'swapped' ? item ^ 1 : item) % near.length]
    if (index !== undefined) return index
  }
  if (everywhere && !everywhere.but?.has(path) && (!everywhere.isInLists || item !== undefined)) {
    const { kind, key } = everywhere
    const { literals = [] } = values
    const index = literals.findIndex((literal) => literal.kind === kind && literal.key === key && isShort(literal))
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
 * Returns the greatest number of the items within which a place lies: 29 for `orders/29/lines/0`; 0 where it lies in none.
 *
 * @param path - The place.
 */
export function farthestItemOf(path: string): number {
  return [...path.matchAll(/\/(\d+)(?=[/?#]|$)/g)].reduce((most, [, item]) => Math.max(most, Number(item)), 0)
}

/**
 * Returns a text that is the same for variations that say the same.
 *
 * @param variation - The variation.
 */
export function keyOfVariation(variation: Variation): string {
  const { base, changes, everywhere, isInTurn, texts = new Map() } = variation
  const byPath = ([left]: [string, unknown], [right]: [string, unknown]): number => (left < right ? -1 : 1)
  const { kind, key, isInLists } = everywhere ?? {}
  const literal = [kind, key, isInLists]
  return JSON.stringify([base, [...changes].toSorted(byPath), literal, isInTurn, [...texts].toSorted(byPath)])
}
