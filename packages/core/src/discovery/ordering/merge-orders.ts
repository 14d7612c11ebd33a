/** The ids that come after each id. */
export type Successors = ReadonlyMap<string, ReadonlySet<string>>

/** An order of all ids. */
export interface MergedOrder {
  readonly order: readonly string[]
  /** Groups of ids that occur in several orders, which a single list cannot represent. */
  readonly tangled: readonly (readonly string[])[]
}

/**
 * Collects the ids that come after each id.
 *
 * @param orders - The ids of each run, in call order.
 */
export function toSuccessors(orders: readonly (readonly string[])[]): Map<string, Set<string>> {
  const successors = new Map<string, Set<string>>()
  for (const order of orders)
    for (const [index, id] of order.entries()) {
      const after = successors.get(id) ?? new Set()
      successors.set(id, after)
      const next = order[index + 1]
      if (next !== undefined && next !== id) after.add(next)
    }
  return successors
}

/** Compares two ids that the runs do not order; 0 if unknown. */
type Compare = (left: string, right: string) => number

/**
 * Merges orders into one that is consistent with all of them. Ids that no order relates are sorted by the comparison,
 * then by first occurrence. Ids that occur in several orders keep the first one.
 *
 * @param successors - The ids after each id; the keys are all ids, in order of occurrence.
 * @param compare - Orders ids that no other order relates. @default unknown
 */
export function mergeOrders(successors: Successors, compare: Compare = () => 0): MergedOrder {
  const order = sort(successors, compare)
  if (order.length === successors.size) return { order, tangled: [] }
  const tangled = toTangled(successors)
  const ids = [...successors.keys()]
  const groupOf = new Map(tangled.flatMap((group) => group.map((id) => [id, group])))
  const isKept = (id: string, next: string): boolean => {
    const group = groupOf.get(id)
    return !group || group !== groupOf.get(next) || ids.indexOf(id) < ids.indexOf(next)
  }
  const kept = ids.map((id): [string, Set<string>] => {
    const after = successors.get(id) ?? new Set()
    return [id, new Set([...after].filter((next) => isKept(id, next)))]
  })
  return { order: sort(new Map(kept), compare), tangled }
}

/** Sorts ids topologically; leaves out those on a cycle and those after it. */
function sort(successors: Successors, compare: Compare): readonly string[] {
  const ranks = new Map([...successors.keys()].map((id, index) => [id, index]))
  const rankOf = (id: string): number => ranks.get(id) ?? 0
  const blockers = new Map([...ranks.keys()].map((id) => [id, 0]))
  for (const after of successors.values()) for (const next of after) blockers.set(next, (blockers.get(next) ?? 0) + 1)
  const free = [...ranks.keys()].filter((id) => blockers.get(id) === 0)
  const order: string[] = []
  while (free.length > 0) {
    const next = free.reduce((best, id) => ((compare(id, best) || rankOf(id) - rankOf(best)) < 0 ? id : best))
    free.splice(free.indexOf(next), 1)
    order.push(next)
    for (const id of successors.get(next) ?? []) {
      const left = (blockers.get(id) ?? 0) - 1
      blockers.set(id, left)
      if (left === 0) free.push(id)
    }
  }
  return order
}

/** Groups ids that can be reached from each other, that is, cycles. */
function toTangled(successors: Successors): readonly (readonly string[])[] {
  const reached = new Map([...successors.keys()].map((id) => [id, reachFrom(successors, id)]))
  const groups = new Map<string, string[]>()
  for (const [id, after] of reached) {
    if (!after.has(id)) continue
    const first = [...groups.keys()].find((other) => after.has(other) && reached.get(other)?.has(id)) ?? id
    groups.set(first, [...(groups.get(first) ?? []), id])
  }
  return [...groups.values()]
}

function reachFrom(successors: Successors, id: string): ReadonlySet<string> {
  const reached = new Set<string>()
  const open = [id]
  for (let next = open.pop(); next !== undefined; next = open.pop())
    for (const after of successors.get(next) ?? [])
      if (!reached.has(after)) {
        reached.add(after)
        open.push(after)
      }
  return reached
}
