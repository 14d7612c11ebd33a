import type { ExploringRun } from '../recording/recorded-run.ts'
import { mergeOrders, toSuccessors } from './merge-orders.ts'

/** How the steps of a workflow are ordered. */
export interface StepOrder {
  readonly order: readonly string[]
  /** Groups of steps that come in several orders, whatever their completion. */
  readonly conflicts: readonly (readonly string[])[]
}

/** What orders steps besides the runs. */
export interface OrderOptions {
  /** The ids that stand in the text of the function, in its order. */
  readonly written: readonly string[]
  /** Finds out which steps a run calls while one of them is never done. */
  callsWithout(run: ExploringRun, id: string): Promise<ReadonlySet<string>>
}

const maxProofs = 100

/**
 * Orders the steps so that each stands after all that must come before it, in every run. Where no run shows the order of
 * two steps, the place of the call in the source decides, then which was seen first.
 *
 * @param runs - The runs.
 * @param options - What orders them besides.
 */
export async function orderSteps(
  runs: readonly ExploringRun[],
  { written, callsWithout }: OrderOptions,
): Promise<StepOrder> {
  const successors = toSuccessors(runs.map(toIds))
  const places = new Map(written.map((id, index) => [id, index]))
  const compare = (left: string, right: string): number => {
    const [one, other] = [places.get(left), places.get(right)]
    return one === undefined || other === undefined ? 0 : one - other
  }
  const merged = mergeOrders(successors, compare)
  if (merged.tangled.length === 0) return { order: merged.order, conflicts: [] }
  // The order of calls in parallel branches has no meaning: only what must be done first counts.
  let proofs = 0
  for (const ids of merged.tangled) {
    const inside = new Set(ids)
    const needed = toNeeded(runs, inside)
    for (const [id, after] of needed)
      for (const run of inside.has(id) ? new Set(after.values()) : []) {
        if (proofs++ >= maxProofs) break
        const called = await callsWithout(run, id)
        for (const [then, from] of after) if (from === run && inside.has(then) && called.has(then)) after.delete(then)
      }
    for (const id of ids) for (const then of inside) successors.get(id)?.delete(then)
    // Chains that led through these steps are gone, so all that was done before them counts.
    for (const [id, after] of needed) for (const then of after.keys()) successors.get(id)?.add(then)
  }
  bridgeTangled(successors, runs, new Set(merged.tangled.flat()))
  const settled = mergeOrders(successors, compare)
  return { order: settled.order, conflicts: settled.tangled }
}

/** Steps whose order was known by way of tangled ones keep it, though no chain leads through those any more. */
function bridgeTangled(
  successors: Map<string, Set<string>>,
  runs: readonly ExploringRun[],
  tangled: ReadonlySet<string>,
): void {
  const others = runs.map((run) => toIds(run).filter((id) => !tangled.has(id)))
  for (const [id, after] of toSuccessors(others)) for (const then of after) successors.get(id)?.add(then)
}

function toIds({ calls }: ExploringRun): readonly string[] {
  return calls.map(({ id }) => id)
}

type Needed = Map<string, Map<string, ExploringRun>>

/** Pairs of a step and a later call, if one of the two steps is inside, with a run that shows it. */
function toNeeded(runs: readonly ExploringRun[], inside: ReadonlySet<string>): Needed {
  const needed: Needed = new Map()
  for (const run of runs)
    for (const { id, done } of run.calls)
      for (const before of run.done.slice(0, done)) {
        if (!inside.has(id) && !inside.has(before)) continue
        const after = needed.get(before) ?? new Map<string, ExploringRun>()
        needed.set(before, after)
        if (!after.has(id)) after.set(id, run)
      }
  return needed
}
