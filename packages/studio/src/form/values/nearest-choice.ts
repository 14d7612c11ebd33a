import type { OutputUnit } from '@cfworker/json-schema'

/** What tells the choices of a schema apart. */
const telling = new Set(['const', 'enum', 'type'])

/** A value that fits none of several choices. */
interface Union {
  readonly unit: OutputUnit
  /** How many types and fixed values differ, by the number of the choice. */
  readonly differing: Map<string, number>
}

/** A choice that a value does not fit. */
interface Choice {
  readonly union: Union
  readonly index: string
}

/**
 * Leaves out what is wrong with a value by choices of a `oneOf` or `anyOf` that it does not mean. It means those of
 * which the fewest types and fixed values differ; where that is one alone, that none fits is left out too.
 *
 * @param units - What is wrong with a value, each union before what is wrong by its choices.
 */
export function keepNearestChoice(units: readonly OutputUnit[]): readonly OutputUnit[] {
  const unions = new Map<string, Union>()
  const found = units.map((unit) => {
    const choices = choicesOf(unit, unions)
    for (const { union, index } of choices)
      union.differing.set(index, (union.differing.get(index) ?? 0) + (telling.has(unit.keyword) ? 1 : 0))
    const union = { unit, differing: new Map<string, number>() }
    if (unit.keyword === 'oneOf' || unit.keyword === 'anyOf') unions.set(unit.keywordLocation, union)
    return { unit, choices, union }
  })
  return found
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
