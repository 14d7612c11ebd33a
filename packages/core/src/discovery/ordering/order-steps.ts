import type { ExploringRun } from '../recording/recorded-run.ts'
import { mergeOrders, toSuccessors } from './merge-orders.ts'

/** How the steps of a workflow are ordered. */
export interface StepOrder {
  readonly order: readonly string[]
  /** Groups of steps that come in several orders, whatever their completion. */
  readonly conflicts: readonly (readonly string[])[]
}

/**
 * Orders the steps so that each stands after all that must come before it, in every run. Where no run shows the order of
 * two steps, the place of the call in the source decides, then which was seen first.
 *
 * @param runs - The runs.
 * @param written - The ids that stand in the text of the function, in its order.
 */
export function orderSteps(runs: readonly ExploringRun[], written: readonly string[]): StepOrder {
  const successors = toSuccessors(runs.map(({ calls }) => calls.map(({ id }) => id)))
  const places = new Map(written.map((id, index) => [id, index]))
  const compare = (left: string, right: string): number => {
    const [one, other] = [places.get(left), places.get(right)]
    return one === undefined || other === undefined ? 0 : one - other
  }
  const merged = mergeOrders(successors, compare)
  if (merged.tangled.length === 0) return { order: merged.order, conflicts: [] }
  // The order of calls in parallel branches has no meaning: what counts is the step whose end led to the call.
  for (const ids of merged.tangled) for (const id of ids) for (const then of ids) successors.get(id)?.delete(then)
  for (const { calls, done } of runs) for (const call of calls) successors.get(done[call.done - 1] ?? '')?.add(call.id)
  const settled = mergeOrders(successors, compare)
  return { order: settled.order, conflicts: settled.tangled }
}
