import type { RecordedRun } from '../recording/recorded-run.ts'
import { farthestItemOf, maxShort } from '../samples/variation/choose-value.ts'
import type { PlaceRead } from '../samples/variation/variation.ts'
import { type Known, type Plan, ranks } from './planned-run.ts'
import { everywhere, noteContainers, onItems, toAlternatives, toOpened, withoutContainers } from './wide-plans.ts'

const maxLayers = 3
/** So many items of a list have each value in turn; those behind them do last of all. */
const maxVariedItems = 4
/** So many values of places that were never read come before the first of a place that the other base has shown. */
const turnsAhead = 6
/** So many values at least are tried on top of a run; beyond them those of what it was the first to read, but of far items. */
const maxOpened = 60
/** So many runs change all places at once. */
const maxDiagonals = 16
const valueRanks = { first: ranks.value, find: ranks.form, again: ranks.again, elsewhere: ranks.elsewhere } as const
const literalRanks = {
  first: ranks.near,
  find: ranks.form,
  again: ranks.nearAgain,
  elsewhere: ranks.elsewhere,
} as const
const formRanks = { ...literalRanks, first: ranks.form, find: ranks.again } as const

/**
 * Compares two plans by which is run first: places take turns, so that none with many values leaves no run for others.
 *
 * @param isScarce - Whether there are only a few runs. What a condition compares then comes before other values: the two
 *   bases have shown the extremes of each place.
 */
export function comparePlans(isScarce: boolean): (left: Plan, right: Plan) => number {
  const rankOf = ({ rank }: Plan): number => (rank !== ranks.near ? rank : isScarce ? ranks.base : ranks.value)
  return (left, right) => rankOf(left) - rankOf(right) || (left.turn ?? 0) - (right.turn ?? 0)
}

/** Returns whether a plan changes all places at once: what it finds needs no run of its own any more. */
export function isDiagonal({ rank }: Plan): boolean {
  return rank === ranks.diagonal
}

/** Returns whether a plan has changed places that nobody has picked, so that little is known of which of them matter. */
export function isWide({ variation, picked }: Plan): boolean {
  return variation.changes.size > picked.length
}

/** Returns the runs that come first. */
export function toBases(): Plan[] {
  return (['fullest', 'emptiest'] as const).map((base) => ({
    variation: { base, changes: new Map() },
    layer: 0,
    picked: [],
    rank: ranks.base,
    isNeeded: true,
    times: new Map(),
  }))
}

/**
 * Plans what a run suggests: the other values of each place that it was the first to read, and once more, on top of its
 * own data, those of each place that it read more often than the run it was made from: its data has led to code that
 * depends on them. Where other data has led there before, that is done last.
 *
 * @param plan - What the run was made for.
 * @param run - The run.
 * @param about - What earlier runs have shown, which is brought up to date; and whether the run has called a step that none
 *   had called before: code reads its data at once, too, and asks of it deep within conditions.
 */
export function planFrom(
  plan: Plan,
  run: RecordedRun,
  { known, hasFound }: { readonly known: Known; readonly hasFound: boolean },
): Plan[] {
  if (plan.layer >= maxLayers && !hasFound) return []
  const { variation } = plan
  const times = new Map([...run.reads].map(([path, read]) => [path, read.times]))
  const otherBase = variation.base === 'fullest' ? 'emptiest' : 'fullest'
  const plans: Plan[] = []
  const from = hasFound ? { ...plan, layer: 0 } : plan
  let hasNewItems = false
  noteContainers(known, run)
  for (const [path, read] of run.reads) {
    const key = `${variation.base} ${path}`
    const before = known.times.get(key) ?? 0
    const isFirst = before === 0
    // The items of a list are like each other, and would leave no runs for other places.
    const item = farthestItemOf(path)
    const isFarItem = item >= maxVariedItems
    const hasRoom = plans.length < maxOpened || read.texts !== undefined
    const isOpen = hasFound && !isFarItem && hasRoom && !plan.picked.includes(path)
    const isAgain = !isFirst && plan.layer > 0 && (isOpen || read.times > (plan.times.get(path) ?? 0))
    known.times.set(key, Math.max(before, read.times))
    if (isFirst && item > 0) hasNewItems = true
    if ((!isFirst && !isAgain) || (isFarItem && plans.length >= maxOpened)) continue
    const when = isFirst ? 'first' : hasFound ? 'find' : read.times > before ? 'again' : 'elsewhere'
    const turns = known.times.has(`${otherBase} ${path}`) ? turnsAhead : 0
    const isContainer = known.containers.has(path)
    const values = valuesOf(from, [path, read], { when, turns, times, isContainer })
    plans.push(...(isFarItem ? values.map((next) => ({ ...next, rank: ranks.elsewhere, isNeeded: false })) : values))
  }
  const atBase =
    plan.layer === 0
      ? [...toDiagonals(plan, withoutContainers(run, known), times), ...everywhere(plan, run, times)]
      : []
  return [...toOpened(plan, run, known), ...plans, ...atBase, ...onItems(plan, run, { known, times, hasNewItems })]
}

interface Values extends Pick<Plan, 'times'> {
  readonly when: keyof typeof valueRanks
  readonly turns: number
  readonly isContainer: boolean
}

function valuesOf(
  { variation, layer, picked }: Plan,
  [path, read]: readonly [string, PlaceRead],
  { when, turns, times, isContainer }: Values,
): Plan[] {
  const alternatives = toAlternatives(variation, path, read)
  const firstLiteral = alternatives.findIndex((index) => index >= read.count)
  return alternatives.map((index, at) => {
    const literal = read.literals[index - read.count]
    const isValue = !literal && !read.isAside
    const isLate = literal ? literal.kind === 'length' : read.isRare
    const rank = (isValue ? valueRanks : isLate ? formRanks : literalRanks)[when]
    const isNeeded = when === 'first' && !/^(first|apart):/.test(path)
    return {
      variation: {
        ...variation,
        changes: new Map([...variation.changes, [path, index]]),
        ...(read.texts && { texts: new Map([...(variation.texts ?? []), ...read.texts]) }),
      },
      layer: layer + 1,
      picked: [...picked, path],
      rank: literal && isContainer ? ranks.elsewhere : rank,
      turn: turns + (index < read.count ? at : at - firstLiteral),
      isNeeded: isNeeded && !(literal && isContainer),
      times,
    }
  })
}

/**
 * Runs in which all places have other values at once, each in turn: conditions that do not depend on each other are met in
 * as many runs as the place with the most values has, and not in as many as all of them together.
 */
function toDiagonals({ variation }: Plan, run: RecordedRun, times: Plan['times']): Plan[] {
  const places = [...run.reads]
    .filter(([path, read]) => !read.isAside && !read.texts && !path.startsWith('first:'))
    .map(([path, read]) => {
      const alternatives = toAlternatives(variation, path, read)
      const short = alternatives.filter((index) => isShort(read, index))
      // The longest first: that is what most conditions ask for.
      const long = alternatives.filter((index) => !short.includes(index)).reverse()
      return { path, short, long, count: alternatives.length }
    })
    .filter(({ count }) => count > 0)
  if (places.length < 2) return []
  const lists = places.filter(({ long }) => long.length > 0)
  const most = Math.max(
    ...places.map(({ short }) => short.length + 1),
    ...lists.map(({ long }) => long.length * lists.length),
  )
  const all = places.reduce((product, { short }) => product * (short.length + 1), 1)
  return Array.from({ length: Math.min(Math.max(most, all), maxDiagonals) }, (_, turn) => turn).flatMap((turn) => {
    // Several long lists at once would take too long.
    const longest = lists[turn % lists.length]
    const changes = places.flatMap((place, at): [string, number][] => {
      const { path, short, long } = place
      // One turn more than a place has values: then it keeps that of the base.
      const index =
        place === longest
          ? long[Math.floor(turn / lists.length) % long.length]
          : short[(turn + at * (1 + Math.floor(turn / (short.length + 1)))) % (short.length + 1)]
      return index === undefined ? [] : [[path, index]]
    })
    // One alone is tried anyway.
    if (changes.length < 2) return []
    const changed = { ...variation, changes: new Map([...variation.changes, ...changes]) }
    return [{ variation: changed, layer: 1, picked: [], rank: ranks.diagonal, isNeeded: false, times }]
  })
}

/** Whether a value takes no longer than others do: all but those of long lists. */
function isShort({ isList, literals, count }: PlaceRead, index: number): boolean {
  return !isList || index < count || Number(literals[index - count]?.value) <= maxShort
}
