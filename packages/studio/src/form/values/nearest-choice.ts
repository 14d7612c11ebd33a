import type { OutputUnit } from '@cfworker/json-schema'

/** Keywords that distinguish the choices of a schema. */
const telling = new Set(['const', 'enum', 'type'])

/** A value that matches none of several choices. */
interface Union {
  readonly unit: OutputUnit
  /** The number of differing types and constants, by the index of the choice. */
  readonly differing: Map<string, number>
}

/** A choice that a value does not match. */
interface Choice {
  readonly union: Union
  readonly index: string
}

/**
 * Removes errors from `oneOf` and `anyOf` choices that the user did not intend. The intended choices have the fewest
 * differing types and constants. If there is only one, the error that no choice matches is also removed.
 *
 * @param units - The errors of a value, each union before the errors of its choices.
 */
export function keepNearestChoice(units: readonly OutputUnit[]): readonly OutputUnit[] {
  const unions = new Map<string, Union>()
  const entries = units.map((unit) => {
    const choices = choicesOf(unit, unions)
    for (const { union, index } of choices)
      union.differing.set(index, (union.differing.get(index) ?? 0) + (telling.has(unit.keyword) ? 1 : 0))
    const union = { unit, differing: new Map<string, number>() }
    if (unit.keyword === 'oneOf' || unit.keyword === 'anyOf') unions.set(unit.keywordLocation, union)
    return { unit, choices, union }
  })
  return entries
    .filter(({ choices, union }) => choices.every(isMeant) && nearest(union).length !== 1)
    .map(({ unit }) => unit)
}

function choicesOf({ keywordLocation }: OutputUnit, unions: ReadonlyMap<string, Union>): readonly Choice[] {
  return [...unions.values()].flatMap((union) => {
    const start = `${union.unit.keywordLocation}/`
    if (!keywordLocation.startsWith(start)) return []
    return [{ union, index: keywordLocation.slice(start.length).split('/')[0] ?? '' }]
  })
}

function isMeant({ union, index }: Choice): boolean {
  return nearest(union).includes(index)
}

function nearest({ differing }: Union): readonly string[] {
  const least = Math.min(...differing.values())
  return [...differing].flatMap(([index, count]) => (count === least ? [index] : []))
}
