import type { RecordedRun } from '../recording/recorded-run.ts'
import { keyOfVariation } from '../samples/variation/choose-value.ts'
import type { Variation } from '../samples/variation/variation.ts'
import { comparePlans, isDiagonal, isWide, planFrom, toBases } from './plan.ts'
import { type Certainty, isOpen, type Known, type Plan, toUnknown } from './planned-run.ts'
import { onPairs } from './wide-plans.ts'

/** The most runs of a function that awaits nothing but steps, beside those that change everything at once. */
const usualRuns = 128
/** And where a step is known to be missing. */
const maxRuns = 512
const maxRunsWithIo = 4
const maxAtOnce = 8
/** So many pairs of places are tried where no step is known to be missing. */
const usualPairs = 24

/** A recorded run with the sample data it saw. */
export interface ExploringRun extends RecordedRun {
  readonly variation: Variation
}

/** How a workflow is explored. */
export interface Explorer {
  /**
   * Creates one run.
   *
   * @param variation - What it sees.
   * @param waitMs - How long it may wait for anything but steps.
   */
  record(variation: Variation, waitMs: number): Promise<RecordedRun>
  /** How long all runs may take where they wait for anything but steps, in milliseconds. */
  readonly waitMs: number
  /** How far an earlier exploration has come, to go on from. @default none */
  readonly progress?: Progress | undefined
  /** Returns whether there is time for more runs; asked only while there is more to try. @default always */
  hasTime?(): boolean
  /** Whether a run has shown what was looked for. @default none does */
  isEnough?(run: RecordedRun): boolean
  /** Whether steps are known that no run has reached, so that more runs than usual are worth their time. @default none are */
  isMissing?(runs: readonly ExploringRun[]): boolean
  /** Returns what needs no more runs. @default nothing */
  toCertainty?(runs: readonly ExploringRun[]): Certainty
  /** Whether a step is one of the function's text: those whose ids are made of data are new in each run. @default all are */
  isWritten?(id: string): boolean
}

/** How far an exploration has come. */
export interface Progress {
  readonly runs: ExploringRun[]
  readonly known: Known
  /** The variations that are, or were, planned. */
  readonly planned: Set<string>
  readonly plans: readonly Plan[]
  readonly diagonals: number
}

/** The runs of one workflow. */
export interface Exploration {
  readonly runs: readonly ExploringRun[]
  /** To go on from, where there was no time for all. */
  readonly progress: Progress
  /** Whether values that the schema names, or that conditions compare, were left to try. */
  readonly cut: boolean
  /** How many more runs there may be; those that change everything at once do not count. */
  readonly runsLeft: number
}

/**
 * Runs a workflow function on sample data: everything fullest, everything emptiest, then each place that was read with
 * its other values, one at a time, from each of the two. Two bases with single changes contain every combination of
 * three two-valued places. Before these come runs in which everything differs at once, for conditions that do not depend
 * on each other; after them what runs have shown to depend on each other. Places take turns, so that what lies deep in the
 * function has its first values before others have their last. A run that calls a step which none has called is varied
 * further; in the end two places are tried together, and more of such pairs where steps are missing. Where no step can be
 * missing any more, each place has its values, which show when steps are left out, and that is nearly all; one other value
 * where that is known.
 * Functions that await only steps are run several at a time, so that they share the turns of the event loop.
 *
 * @param explorer - Makes the runs.
 */
export async function explore({
  record,
  waitMs,
  progress = begin(),
  hasTime = () => true,
  isEnough,
  isMissing,
  toCertainty = () => 'nothing',
  isWritten,
}: Explorer): Promise<Exploration> {
  const { runs, known, planned } = progress
  const isFind = createFinds(runs, isWritten)
  let { plans, diagonals } = progress
  let awaitsIo = runs.some((run) => run.awaitedIo)
  let leftMs = waitMs
  let isOver = false
  const countLeft = (): number => {
    // Where each run may have an effect, all of them count.
    if (awaitsIo) return Math.max(0, maxRunsWithIo - runs.length)
    const made = runs.length - diagonals
    return Math.max(0, (made >= usualRuns && isMissing?.(runs) ? maxRuns : usualRuns) - made)
  }
  let runsLeft = countLeft()
  let hasPairs = false
  let certainty: Certainty = 'nothing'
  while (runsLeft > 0 && leftMs > 0 && !isOver && hasTime()) {
    if (plans.length === 0) {
      if (hasPairs || awaitsIo || certainty !== 'nothing') break
      hasPairs = true
      plans = toPairs(progress, isMissing?.(runs) ?? false)
      continue
    }
    // What awaits other work, too, is only found out by running it once.
    const atOnce = runs.length === 0 || awaitsIo ? 1 : Math.min(maxAtOnce, runsLeft)
    const wave = plans.slice(0, atOnce)
    plans = plans.slice(wave.length)
    diagonals += wave.filter(isDiagonal).length
    const startMs = performance.now()
    const made = await Promise.all(wave.map(({ variation }) => record(variation, leftMs)))
    for (const [index, run] of made.entries()) {
      const plan = wave[index]
      if (!plan) continue
      runs.push({ ...run, variation: plan.variation })
      // A function that never ends does so on every sample.
      isOver ||= run.end === 'stuck' || (isEnough?.(run) ?? false)
      const next = planFrom(plan, run, { known, hasFound: isFind(plan, run) })
      plans = [...plans, ...next.filter(({ variation }) => isNew(planned, variation))]
    }
    if (made.some((run) => run.awaitedIo)) {
      awaitsIo = true
      leftMs -= performance.now() - startMs
    }
    certainty = toCertainty(runs)
    // Stable, so that plans of one rank keep their order.
    plans = plans.filter(isOpen(certainty)).toSorted(comparePlans(awaitsIo))
    runsLeft = countLeft()
  }
  const cut = plans.some(({ isNeeded }) => isNeeded)
  return { runs, cut, runsLeft, progress: { runs, known, planned, plans, diagonals } }
}

/** Plans two places together, and all such pairs where steps are known to be missing. */
function toPairs({ runs, known, planned }: Progress, isMissing: boolean): readonly Plan[] {
  const pairs = runs.filter(isBase).flatMap((run) => onPairs(run, known))
  return (isMissing ? pairs : pairs.slice(0, usualPairs)).filter(({ variation }) => isNew(planned, variation))
}

/** Returns what tells whether a run has called a step that none had called, or only one that has changed everything at once. */
function createFinds(
  runs: readonly RecordedRun[],
  isWritten: Explorer['isWritten'],
): (plan: Plan, run: RecordedRun) => boolean {
  const found = new Map(runs.flatMap(({ calls }) => calls.map(({ id }): [string, boolean] => [id, false])))
  return (plan, { calls }) => {
    const wide = isWide(plan)
    const isNewHere = calls.some(({ id }) => (!found.has(id) || (found.get(id) && !wide)) && (isWritten?.(id) ?? true))
    for (const { id } of calls) if (!wide || !found.has(id)) found.set(id, wide)
    return isNewHere
  }
}

function isBase({ variation }: ExploringRun): boolean {
  return variation.changes.size === 0 && !variation.everywhere && !variation.isInTurn
}

function begin(): Progress {
  return { runs: [], known: toUnknown(), planned: new Set(), plans: toBases(), diagonals: 0 }
}

/** Two runs may suggest the same third one. */
function isNew(planned: Set<string>, variation: Variation): boolean {
  const key = keyOfVariation(variation)
  const isKnown = planned.has(key)
  planned.add(key)
  return !isKnown
}
