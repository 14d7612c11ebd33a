import type { DiscoveredStep } from './discovery.ts'
import { mergeRuns } from './merge-runs.ts'
import type { ExploringRun } from './recording/explore.ts'
import type { RecordedCall } from './recording/recorded-run.ts'

/**
 * Merges the runs of a workflow into its steps. Runs beyond a limit are left out.
 *
 * @param all - The runs.
 */
export function toSteps(all: readonly ExploringRun[]): readonly DiscoveredStep[] {
  const runs = all.filter((run) => run.end !== 'limit' && run.end !== 'stuck')
  const normal = runs.filter((run) => run.end === 'normal')
  const calls = new Map<string, RecordedCall>()
  const seenIn = new Map<string, number>()
  for (const run of runs) for (const call of run.calls) if (!calls.has(call.id)) calls.set(call.id, call)
  for (const run of normal) for (const { id } of run.calls) seenIn.set(id, (seenIn.get(id) ?? 0) + 1)
  const order = mergeRuns(runs.map((run) => run.calls.map(({ id }) => id)))
  const groups = toGroups(runs, order)
  return order.flatMap((id) => {
    const found = calls.get(id)
    if (!found) return []
    const conditional = (seenIn.get(id) ?? 0) < normal.length
    return [{ id, call: found.call, conditional, parallelGroup: groups.get(id) ?? 0 }]
  })
}

/** Numbers the steps so that those which a run called in one stretch share a number. */
function toGroups(runs: readonly ExploringRun[], order: readonly string[]): ReadonlyMap<string, number> {
  const leaders = new Map<string, string>()
  const leaderOf = (id: string): string => {
    const leader = leaders.get(id) ?? id
    return leader === id ? id : leaderOf(leader)
  }
  for (const { calls } of runs)
    for (const [index, { id, batch }] of calls.entries()) {
      const before = calls[index - 1]
      if (before?.batch === batch) leaders.set(leaderOf(id), leaderOf(before.id))
    }
  const numbers = new Map<string, number>()
  const groups = new Map<string, number>()
  for (const id of order) {
    const leader = leaderOf(id)
    const number = numbers.get(leader) ?? numbers.size
    numbers.set(leader, number)
    groups.set(id, number)
  }
  return groups
}
