import type { RecordedRun } from '../recording/recorded-run.ts'
import { containerOf } from '../samples/values/place-name.ts'
import { chooseOf, farthestItemOf, itemOf } from '../samples/variation/choose-value.ts'
import type { LiteralKind, PlaceRead, Variation } from '../samples/variation/variation.ts'
import { type Known, type Plan, ranks } from './planned-run.ts'

const maxEverywhere = 12
const maxOnItems = 4
const maxPairs = 500
/** So many places are tried in pairs, and so many values of each. */
const maxPaired = 16
const maxPairedValues = 6

/**
 * Plans each literal that stands beside no place's name, at every place that can have it and within which nothing else was
 * read.
 *
 * @param plan - What the run was made for.
 * @param run - The run.
 * @param times - How often it has read each place.
 */
export function everywhere({ variation }: Plan, run: RecordedRun, times: Plan['times']): Plan[] {
  const left = new Map<string, { readonly kind: LiteralKind; readonly key: number }>()
  for (const { literals } of run.reads.values())
    for (const { kind, key, isNear } of literals) if (!isNear) left.set(`${kind} ${key}`, { kind, key })
  if (left.size === 0) return []
  const but = toContainers(run)
  return [...left.values()].slice(0, maxEverywhere).map((literal) => ({
    variation: { ...variation, everywhere: { ...literal, but } },
    layer: 1,
    picked: [],
    rank: ranks.everywhere,
    isNeeded: false,
    times,
  }))
}

/** The places within which others were read. */
function toContainers({ reads }: RecordedRun): ReadonlySet<string> {
  const around = new Set<string>()
  for (const path of reads.keys())
    for (let at = path.lastIndexOf('/'); at > 0 && !around.has(path.slice(0, at)); at = path.lastIndexOf('/', at - 1))
      around.add(path.slice(0, at))
  return new Set([...reads.keys()].filter((path) => around.has(path.replace(/\?$/, ''))))
}

/**
 * Plans, where a list has several items, each literal that they are compared with at all of them, and one after the other.
 *
 * @param plan - What the run was made for.
 * @param run - The run.
 * @param about - What earlier runs have shown, which is brought up to date; how often the run has read each place, and whether it
 *   was the first to read items.
 */
export function onItems(
  { variation, layer, picked }: Plan,
  run: RecordedRun,
  {
    known,
    times,
    hasNewItems,
  }: { readonly known: Known; readonly times: Plan['times']; readonly hasNewItems: boolean },
): Plan[] {
  const isSimple = hasNewItems || layer === 0 || (layer === 1 && variation.changes.size === 1)
  if (!isSimple || ![...run.reads.keys()].some((path) => farthestItemOf(path) > 0)) return []
  const near = new Map<string, { readonly kind: LiteralKind; readonly key: number }>()
  for (const [path, { literals }] of run.reads)
    for (const { kind, key, isNear } of itemOf(path) === undefined ? [] : literals)
      if (isNear) near.set(`${kind} ${key}`, { kind, key })
  // In turn with the forms of texts: many runs are the first to read items.
  const turn = near.size > 0 ? known.runsOnItems++ : 0
  const further = { layer: layer + 1, picked, rank: ranks.form, turn, isNeeded: false, times }
  const isLength = ({ kind }: { readonly kind: LiteralKind }): number => (kind === 'length' ? 1 : 0)
  const equal = [...near.values()].toSorted((left, right) => isLength(left) - isLength(right)).slice(0, maxOnItems)
  return [
    ...equal.map((literal) => ({
      ...further,
      variation: { ...variation, everywhere: { ...literal, isInLists: true } },
    })),
    // What comes first may decide the order of the steps, too.
    ...(near.size > 1
      ? ([true, 'swapped'] as const).map((isInTurn) => ({ ...further, variation: { ...variation, isInTurn } }))
      : []),
  ]
}

/**
 * Plans each two places that a run has read with each of their values: conditions that ask for both at once, of data that
 * was read before, show nothing of the one where the other is not met.
 *
 * @param run - A run that was made of a base.
 * @param known - What is known of its data.
 */
export function onPairs(run: RecordedRun & Pick<Plan, 'variation'>, known: Known): Plan[] {
  const { variation } = run
  const { reads } = withoutContainers(run, known)
  const places = [...reads].filter(([path, { isAside, texts }]) => !isAside && !texts && !path.startsWith('first:'))
  const values = places.slice(0, maxPaired).map(([path, read]) => {
    return { path, indexes: toAlternatives(variation, path, read).slice(0, maxPairedValues) }
  })
  const times = new Map([...run.reads].map(([path, read]) => [path, read.times]))
  const pairs = values.flatMap((second, at) =>
    values.slice(0, at).flatMap((first) =>
      first.indexes.flatMap((one, left) =>
        second.indexes.map((other, right): Plan => {
          const changes = new Map([...variation.changes, [first.path, one], [second.path, other]])
          const picked = [first.path, second.path]
          const rest = { layer: 2, rank: ranks.elsewhere, isNeeded: false, times }
          return { ...rest, variation: { ...variation, changes }, picked, turn: left + right }
        }),
      ),
    ),
  )
  return pairs.toSorted((left, right) => (left.turn ?? 0) - (right.turn ?? 0)).slice(0, maxPairs)
}

/** The other values of a place that are tried there. */
export function toAlternatives(variation: Variation, path: string, read: PlaceRead): readonly number[] {
  const own = chooseOf(variation, path, { count: read.count, values: read })
  return Array.from({ length: read.count + read.literals.length }, (_, index) => index).filter((index) => {
    const literal = read.literals[index - read.count]
    // Two places that were made the same are not made to differ again: the run before has shown that.
    return index !== own && (!literal || literal.isNear) && (!read.texts || literal)
  })
}

/**
 * Notes the places within which a run has read others: of data without a schema any place could be a text or a number, until
 * something within it is read.
 *
 * @param known - What earlier runs have shown, which is brought up to date.
 * @param run - The run.
 */
export function noteContainers({ times, containers }: Known, { reads }: RecordedRun): void {
  for (const path of reads.keys()) {
    // The items of a list are read by their numbers.
    if (times.has(`fullest ${path}`) || /\/\d+\??$/.test(path)) continue
    const container = containerOf(path)
    if (container !== undefined) containers.add(container).add(`${container}?`)
  }
}

/**
 * Plans, where a function failed on no data at all, as `payload.order.total` does, that it has what others lie within and nothing
 * else.
 *
 * @param plan - What the run was made for.
 * @param run - The run.
 * @param known - What earlier runs have shown.
 */
export function toOpened(plan: Plan, run: RecordedRun, { times, containers }: Known): Plan[] {
  const { variation, layer } = plan
  if (layer > 0 || variation.base === 'fullest' || variation.changes.size > 0 || run.end !== 'failed') return []
  const picked = [...containers].filter((path) => times.has(`fullest ${path}`))
  if (picked.length === 0) return []
  const changes = new Map(picked.map((path) => [path, 0]))
  return [{ ...plan, variation: { ...variation, changes }, picked, rank: ranks.base }]
}

/**
 * Returns a run without what others lie within: a text in its place would take them all away.
 *
 * @param run - The run.
 * @param known - What is known of its data.
 */
export function withoutContainers(run: RecordedRun, { containers }: Known): RecordedRun {
  const reads = [...run.reads].filter(([path, { literals }]) => literals.length === 0 || !containers.has(path))
  return reads.length === run.reads.size ? run : { ...run, reads: new Map(reads) }
}
