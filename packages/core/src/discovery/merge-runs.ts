/**
 * Puts the ids of several runs into one order that keeps each run's own: an unknown id goes in front of the next known
 * one of its run, but never in front of a known one that precedes it.
 *
 * @param orders - The ids of each run, in the order of their calls.
 */
export function mergeRuns(orders: readonly (readonly string[])[]): readonly string[] {
  const merged: string[] = []
  const known = new Set<string>()
  for (const order of orders) {
    if (order.every((id) => known.has(id))) continue
    insert(merged, known, order)
  }
  return merged
}

function insert(merged: string[], known: Set<string>, order: readonly string[]): void {
  // Where the last known id of this run stands; an unknown one must come behind it.
  let after = 0
  let unknown: string[] = []
  const flush = (at: number): void => {
    merged.splice(Math.max(at, after), 0, ...unknown)
    after = Math.max(at, after) + unknown.length
    for (const id of unknown) known.add(id)
    unknown = []
  }
  for (const id of order) {
    if (!known.has(id)) {
      unknown.push(id)
      continue
    }
    flush(merged.indexOf(id))
    after = Math.max(after, merged.indexOf(id) + 1)
  }
  flush(merged.length)
}
