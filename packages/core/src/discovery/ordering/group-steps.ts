import type { ExploringRun } from '../recording/recorded-run.ts'

/**
 * Numbers the groups of steps from 0: steps share a number only if all of them were open at the same time in one run.
 *
 * @param runs - The recorded runs.
 * @param order - The step ids, in listed order.
 */
export function groupSteps(runs: readonly ExploringRun[], order: readonly string[]): ReadonlyMap<string, number> {
  const moments = toMoments(runs)
  const groups = new Map<string, number>()
  const members: string[][] = []
  for (const id of order) {
    const own = moments.filter((moment) => moment.has(id))
    const groupIndex = members.findIndex((group) => own.some((moment) => group.every((member) => moment.has(member))))
    if (groupIndex === -1) members.push([id])
    else members[groupIndex]?.push(id)
    groups.set(id, groupIndex === -1 ? members.length - 1 : groupIndex)
  }
  return groups
}

/** Returns each set of steps that were open at the same time. */
function toMoments(runs: readonly ExploringRun[]): readonly ReadonlySet<string>[] {
  const moments = new Map<string, ReadonlySet<string>>()
  for (const run of runs) {
    for (const { id, open } of run.calls)
      if (open.length > 0) moments.set([...open, id].join('\n'), new Set([...open, id]))
  }
  return [...moments.values()]
}
