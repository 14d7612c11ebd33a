import type { ExploringRun, RecordedRun } from './recording/recorded-run.ts'
import { keyOfVariation } from './samples/variation/choose-value.ts'
import { fullest, type PlaceRead, type Variation } from './samples/variation/variation.ts'

/** The maximum number of runs of one workflow. */
export const maxRuns = 32
/** If a function awaits more than steps, each run may have an effect. */
export const maxRunsWithIo = 4
/** So many values are tried on top of each other: a loop reads others in each run. */
const maxDepth = 3
/** So many runs change all places at once. */
const maxDiagonals = 4

/** Creates the runs of a workflow. */
export interface Runner {
  /** The number of the developer's samples. */
  readonly samples: number
  /**
   * Runs the function on sample data.
   *
   * @param variation - The data.
   */
  record(variation: Variation): Promise<RecordedRun>
  /** Returns whether steps may be missing that no run has reached. */
  isMissing(runs: readonly ExploringRun[]): boolean
}

/** A possible run. */
interface Plan {
  readonly variation: Variation
  /** Equal for equivalent variations. */
  readonly key: string
  /** The value that it tries, as {@link toKey} names it. */
  readonly tries?: string
  /** Lower ranks run first. */
  readonly rank: number
}

const ranks = { base: 0, value: 1, literal: 2, diagonal: 3, again: 4, other: 5 } as const

/**
 * Runs a workflow function on the developer's samples, the fullest and the emptiest sample, then with each value of
 * each path that was read, one at a time. If steps are missing, it tries literals of the source text, all paths at
 * once, and values combined with the data that led to a new step. Stops when nothing is left to try, after 32 runs at
 * most.
 *
 * @param runner - Creates the runs.
 */
export async function makeRuns({ samples, record, isMissing }: Runner): Promise<readonly ExploringRun[]> {
  const runs: ExploringRun[] = []
  const [tried, planned, found] = [new Set<string>(), new Set<string>(), new Set<string>()]
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
    // An endless function does not end on other samples either.
    if (run.end === 'stuck') return runs
    for (const [path, { chosen }] of run.reads) {
      tried.add(toKey(path, chosen))
      // A run that failed may have done so for another of its values.
      if (run.end !== 'failed') tried.add(toKey(path, chosen, next))
    }
    const isNew = run.calls.some(({ id }) => !found.has(id))
    for (const { id } of run.calls) found.add(id)
    plans.push(...planFrom(run, isNew && runs.length > 2))
  }
}

/** Identifies a value of a path, among all runs or those of one base. */
function toKey(path: string, index: number, base?: Variation): string {
  return `${base ? `${base.base} ${base.sample ?? ''}` : ''} ${path}=${index}`
}

interface Progress {
  /** The values that runs have had. */
  readonly tried: ReadonlySet<string>
  /** The variations that were run. */
  readonly planned: ReadonlySet<string>
  readonly mayMiss: boolean
}

/** Whether a plan may find something new. If no step is missing, runs only show when steps are skipped. */
function isOpen({ rank, tries, key }: Plan, { tried, planned, mayMiss }: Progress): boolean {
  if (planned.has(key) || (tries !== undefined && tried.has(tries))) return false
  return mayMiss || rank <= ranks.value
}

/** Returns the next run. If more values than runs are left, it tries several at once. */
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
    if (path === undefined || index === undefined || changes.has(path) || !isOfSameRun || joined >= share) continue
    changes.set(path, index)
    joined++
  }
  return { ...first.variation, changes }
}

function toPlan(variation: Variation, rank: number, tries?: string): Plan {
  return { variation, key: keyOfVariation(variation), rank, ...(tries !== undefined && { tries }) }
}

/** Plans the runs that a run suggests. */
function planFrom({ variation, reads }: ExploringRun, hasNewStep: boolean): readonly Plan[] {
  if (variation.changes.size >= maxDepth) return []
  const isBase = variation.changes.size === 0
  const plans = [...reads].flatMap(([path, read]) =>
    toOthers(read).flatMap((index): Plan[] => {
      const changed = { ...variation, changes: new Map([...variation.changes, [path, index]]) }
      // The items of a list are like each other.
      const rank = /\/[1-9]\d*(?=[/?#|]|$)/.test(path) ? ranks.other : index < read.count ? ranks.value : ranks.literal
      const first = toPlan(changed, rank, toKey(path, index))
      // On top of the other base, and of data that has led to a new step, a value may lead elsewhere.
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

/** Varies all other paths at once, so that independent conditions are met in few runs. */
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
