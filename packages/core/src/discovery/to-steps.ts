import type { StepCall } from '../workflow/steps/step-call.ts'
import type { DiscoveredStep } from './discovery.ts'
import type { ExploringRun } from './exploring/explore.ts'
import { groupSteps } from './ordering/group-steps.ts'

/**
 * Returns a workflow's steps as they are listed.
 *
 * @param order - Their ids.
 * @param runs - The runs that showed them.
 */
export function toSteps(order: readonly string[], runs: readonly ExploringRun[]): readonly DiscoveredStep[] {
  const normal = runs.filter((run) => run.end === 'normal')
  const calls = new Map<string, StepCall>()
  const seenIn = new Map<string, number>()
  for (const run of runs) for (const { id, call } of run.calls) if (!calls.has(id)) calls.set(id, call)
  for (const run of normal) for (const { id } of run.calls) seenIn.set(id, (seenIn.get(id) ?? 0) + 1)
  const groups = groupSteps(runs, order)
  return order.flatMap((id) => {
    const call = calls.get(id)
    if (!call) return []
    const conditional = (seenIn.get(id) ?? 0) < normal.length
    return [{ id, call, conditional, parallelGroup: groups.get(id) ?? 0 }]
  })
}
