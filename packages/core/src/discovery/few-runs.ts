import type { ExploringRun, RecordedRun } from './recording/recorded-run.ts'
import { keyOfVariation } from './samples/variation/choose-value.ts'
import { fullest, type PlaceRead, type Variation } from './samples/variation/variation.ts'

/** The maximum number of runs of one workflow. */
export const maxRuns = 32
/** The maximum if a function awaits anything other than steps, because each run may have side effects. */
export const maxRunsWithIo = 4
/** The maximum number of changes that build on each other, because a loop reads new values in each run. */
const maxDepth = 3
/** The maximum number of runs that change all places at once. */
const maxDiagonals = 4

/** Executes the sample runs of a workflow. */
export interface Runner {
  /** The number of samples defined by the developer. */
  readonly samples: number
  /**
   * Runs the function on sample data.
   *
   * @param variation - The sample data to use.
   */
  record(variation: Variation): Promise<RecordedRun>
  /** Returns whether there may be steps that no run has reached. */
  isMissing(runs: readonly ExploringRun[]): boolean
}

/** A possible run. */
interface Plan {
  readonly variation: Variation
  /** Equal for equivalent variations. */
  readonly key: string
  /** The value that it tries, identified by {@link toKey}. */
  readonly tries?: string
  /** Lower ranks run first. */
  readonly rank: number
}

const ranks = { base: 0, value: 1, literal: 2, diagonal: 3, again: 4, other: 5 } as const

/**
 * Runs a workflow function on the developer's samples and on the fullest and emptiest samples, then with each value of
 * each path that was read, one at a time. If steps are missing, it also tries literals from the source text, all paths
 * at once, and values combined with the data that led to a new step. Stops when nothing is left to try, or after 32
 * runs.
 *
 * @param runner - Creates the runs.
 */
export async function makeRuns({ samples, record, isMissing }: Runner): Promise<readonly ExploringRun[]> {
  const runs: ExploringRun[] = []
  const [tried, planned, reachedIds] = [new Set<string>(), new Set<string>(), new Set<string>()]
  let plans: Plan[] = [
    ...Array.from({ length: samples }, (_, sample) => ({ ...fullest, sample })),
    ...[fullest, { ...fullest, base: 'emptiest' as const }],
  ].map((variation) => toPlan(variation, ranks.base))
  for (;;) {
    const limit = runs.some(({ awaitedIo }) => awaitedIo) ? maxRunsWithIo : maxRuns
    const mayMiss = isMissing(runs)
    plans = plans
      .filter((plan) => isOpen(plan, { tried, planned, mayMiss }))
      .toSorted((one, other) => one.rank - other.rank)
    const next = toNext(plans, limit - runs.length)
    if (!next || runs.length >= limit) return runs
    planned.add(keyOfVariation(next))
    const run = { ...(await record(next)), variation: next }
    runs.push(run)
    // A function that never ends does not end on other samples either.
    if (run.end === 'stuck') return runs
    for (const [path, { chosen }] of run.reads) {
      tried.add(toKey(path, chosen))
      // A run may have failed because of one of its other values.
      if (run.end !== 'failed') tried.add(toKey(path, chosen, next))
    }
    const isNew = run.calls.some(({ id }) => !reachedIds.has(id))
    for (const { id } of run.calls) reachedIds.add(id)
    plans.push(...planFrom(run, isNew && runs.length > 2))
  }
}

/** Identifies a value of a path, either across all runs or for one base variation. */
function toKey(path: string, index: number, base?: Variation): string {
  return `${base ? `${base.base} ${base.sample ?? ''}` : ''} ${path}=${index}`
}

interface Progress {
  /** The values that runs have already used. */
  readonly tried: ReadonlySet<string>
  /** The variations that have already been run. */
  readonly planned: ReadonlySet<string>
  readonly mayMiss: boolean
}

/**
 * Returns whether a plan could find something new. If no step is missing, further runs only show which data causes
 * steps to be skipped.
 */
function isOpen({ rank, tries, key }: Plan, { tried, planned, mayMiss }: Progress): boolean {
  if (planned.has(key) || (tries !== undefined && tried.has(tries))) return false
  return mayMiss || rank <= ranks.value
}

/** Returns the next run. If there are more values than remaining runs, it tries several at once. */
function toNext(plans: readonly Plan[], left: number): Variation | undefined {
  const [first] = plans
  const alike = plans.filter(({ rank }) => rank === first?.rank)
  const share = Math.ceil(alike.length / Math.max(1, left))
  if (!first?.tries || share < 2) return first?.variation
  const changes = new Map(first.variation.changes)
  let joined = 1
  for (const { variation } of alike) {
    const [path, index] = [...variation.changes].at(-1) ?? []
    const isOfSameRun = variation.base === first.variation.base && variation.sample === first.variation.sample
    if (path === undefined || index === undefined || !isOfSameRun || joined >= share) continue
    // The number of items of a list could not be tried together with a list, or an item, that is missing.
    if ([...changes.keys()].some((other) => overlap(other, path))) continue
    changes.set(path, index)
    joined++
  }
  return { ...first.variation, changes }
}

/** Returns whether one path is the other, or inside it. */
function overlap(one: string, other: string): boolean {
  const [inner, outer] = [toPlace(one), toPlace(other)].toSorted((left, right) => right.length - left.length)
  return inner === outer || (inner?.startsWith(`${outer}/`) ?? false)
}

/** Returns the path of a value without what was read of it: `payload/items` for `payload/items#items`. */
function toPlace(path: string): string {
  return path.split(/[?#|]|\.\w+\(/, 1)[0] ?? path
}

function toPlan(variation: Variation, rank: number, tries?: string): Plan {
  return { variation, key: keyOfVariation(variation), rank, ...(tries !== undefined && { tries }) }
}

/** Plans further runs based on what a run has read. */
function planFrom({ variation, reads }: ExploringRun, hasNewStep: boolean): readonly Plan[] {
  if (variation.changes.size >= maxDepth) return []
  const isBase = variation.changes.size === 0
  const plans = [...reads].flatMap(([path, read]) =>
    toOthers(read).flatMap((index): Plan[] => {
      const changed = { ...variation, changes: new Map([...variation.changes, [path, index]]) }
      // List items are assumed to be alike, so varying later items has low priority.
      const rank = /\/[1-9]\d*(?=[/?#|]|$)/.test(path) ? ranks.other : index < read.count ? ranks.value : ranks.literal
      const first = toPlan(changed, rank, toKey(path, index))
      // A value may lead to a different branch in combination with the other base, or with data that led to a new step.
      if (isBase) return [first, toPlan(changed, ranks.other, toKey(path, index, variation))]
      return hasNewStep ? [first, toPlan(changed, ranks.again)] : [first]
    }),
  )
  const diagonals = isBase ? (variation.base === 'fullest' ? maxDiagonals : 0) : hasNewStep ? 1 : 0
  return [...plans, ...toDiagonals(variation, reads).slice(0, diagonals)]
}

function toOthers({ count, literals, chosen }: PlaceRead): readonly number[] {
  return Array.from({ length: count + literals }, (_, index) => index).filter((index) => index !== chosen)
}

/** Changes all other paths at once, so that independent conditions are met in few runs. */
function toDiagonals(variation: Variation, reads: ExploringRun['reads']): readonly Plan[] {
  const places = [...reads].filter(([path, { isAside }]) => !isAside && !variation.changes.has(path))
  return Array.from({ length: maxDiagonals }, (_, turn) => {
    const changes = places.map(([path, read]): [string, number] => {
      // Literals first, because conditions compare with them.
      const others = toOthers(read).toSorted((one, other) => Number(other >= read.count) - Number(one >= read.count))
      return [path, others[turn % others.length] ?? 0]
    })
    return toPlan({ ...variation, changes: new Map([...changes, ...variation.changes]) }, ranks.diagonal)
  })
}
