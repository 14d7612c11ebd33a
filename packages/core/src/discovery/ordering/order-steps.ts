import type { ExploringRun } from '../recording/recorded-run.ts'
import { mergeOrders, type Successors, toSuccessors } from './merge-orders.ts'

/** How the steps of a workflow are ordered. */
export interface StepOrder {
  readonly order: readonly string[]
  /**
   * Groups of steps that runs call in different orders, even relative to the step whose completion led to each call.
   */
  readonly conflicts: readonly (readonly string[])[]
}

/**
 * Orders the steps so that each comes after all its predecessors in every run. If no run orders two steps, the position
 * of their calls in the source decides, then the first occurrence.
 *
 * @param runs - The recorded runs.
 * @param written - The ids in the source text of the function, in order.
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
  // The call order of parallel branches has no meaning: what matters is the step whose completion led to the call.
  for (const ids of merged.tangled) for (const id of ids) for (const then of ids) successors.get(id)?.delete(then)
  for (const { calls, done } of runs) for (const call of calls) successors.get(done[call.done - 1] ?? '')?.add(call.id)
  const inCallOrder = mergeOrders(withMoments(successors, runs), compare)
  const settled = inCallOrder.tangled.length === 0 ? inCallOrder : mergeOrders(successors, compare)
  return { order: settled.order, conflicts: settled.tangled }
}

/** Adds the order of calls to which the same completion led, such as those of a race. */
function withMoments(successors: Successors, runs: readonly ExploringRun[]): Successors {
  const ordered = new Map([...successors].map(([id, after]) => [id, new Set(after)]))
  for (const { calls } of runs)
    for (const [index, { id, done }] of calls.entries()) {
      const next = calls[index + 1]
      if (next?.done === done && next.id !== id) ordered.get(id)?.add(next.id)
    }
  return ordered
}
