import type { Variation } from '../samples/values/variation.ts'
import type { RecordedRun } from './recorded-run.ts'

const maxRuns = 64
const maxRunsWithIo = 4
const maxLayers = 3

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
  /** Whether a run has shown what was looked for. @default none does */
  isEnough?(run: RecordedRun): boolean
}

/** The runs of one workflow. */
export interface Exploration {
  readonly runs: readonly ExploringRun[]
  /** Whether there were more samples to try than runs allowed. */
  readonly cut: boolean
}

interface Plan {
  readonly variation: Variation
  /** How many places differ from the base. */
  readonly layer: number
}

/**
 * Runs a workflow function on sample data: everything fullest, everything emptiest, then each place that was read with
 * its other values, one at a time, from each of the two. Two bases with single changes contain every combination of
 * three two-valued places.
 *
 * @param explorer - Makes the runs.
 */
export async function explore({ record, waitMs, isEnough }: Explorer): Promise<Exploration> {
  const runs: ExploringRun[] = []
  const known = { fullest: new Set<string>(), emptiest: new Set<string>() }
  const plans: Plan[] = (['fullest', 'emptiest'] as const).map((base) => ({
    variation: { base, changes: new Map() },
    layer: 0,
  }))
  let leftMs = waitMs
  let bound = maxRuns
  while (plans.length > 0 && runs.length < bound && leftMs > 0) {
    const plan = plans.shift()
    if (!plan) break
    const startMs = performance.now()
    const run = await record(plan.variation, leftMs)
    runs.push({ ...run, variation: plan.variation })
    if (run.awaitedIo) {
      bound = maxRunsWithIo
      leftMs -= performance.now() - startMs
    }
    // A function that never ends does so on every sample.
    if (run.end === 'stuck' || isEnough?.(run)) break
    if (plan.layer < maxLayers) plans.push(...varied(plan, run, known[plan.variation.base]))
  }
  return { runs, cut: plans.length > 0 }
}

/** A plan for each other value of each place that this run was the first to read. */
function varied({ variation, layer }: Plan, run: RecordedRun, known: Set<string>): Plan[] {
  const plans: Plan[] = []
  for (const [path, count] of run.reads) {
    if (known.has(path)) continue
    known.add(path)
    const own = variation.base === 'fullest' ? 0 : count - 1
    for (let index = 0; index < count; index++)
      if (index !== own)
        plans.push({
          variation: { base: variation.base, changes: new Map([...variation.changes, [path, index]]) },
          layer: layer + 1,
        })
  }
  return plans
}
