/** For each id those that come after it. */
export type Successors = ReadonlyMap<string, ReadonlySet<string>>

/** An order of all ids. */
export interface MergedOrder {
  readonly order: readonly string[]
  /** Groups of ids that come in several orders, so that no list can keep all of them. */
  readonly tangled: readonly (readonly string[])[]
}

/**
 * Collects which id comes after which.
 *
 * @param orders - The ids of each run, in the order of their calls.
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

/**
 * Puts ids into one order that keeps every pair's own. Where nothing orders two of them the comparison decides, else
 * which was seen first. Ids that come in several orders keep the one in which they were seen first.
 *
 * @param successors - What comes after what; the keys are all ids, in the order in which they were seen.
 * @param compare - Compares two ids that nothing orders; 0 where it does not know. @default it never knows
 */
export function mergeOrders(
  successors: Successors,
  compare: (left: string, right: string) => number = () => 0,
): MergedOrder {
  const seen = new Map([...successors.keys()].map((id, index) => [id, index]))
  const components = toComponents(successors)
  const componentOf = new Map(components.flatMap((ids, index) => ids.map((id): [string, number] => [id, index])))
  const rankOf = (id: string): number => seen.get(id) ?? 0
  const isKept = (id: string, next: string): boolean =>
    componentOf.get(id) !== componentOf.get(next) || rankOf(id) < rankOf(next)
  const blockers = new Map<string, number>([...seen.keys()].map((id) => [id, 0]))
  for (const [id, after] of successors)
    for (const next of after) if (isKept(id, next)) blockers.set(next, (blockers.get(next) ?? 0) + 1)
  const free = [...seen.keys()].filter((id) => blockers.get(id) === 0)
  const order: string[] = []
  while (free.length > 0) {
    const next = free.reduce((best, id) => ((compare(id, best) || rankOf(id) - rankOf(best)) < 0 ? id : best))
    free.splice(free.indexOf(next), 1)
    order.push(next)
    for (const id of successors.get(next) ?? []) {
      if (!isKept(next, id)) continue
      const left = (blockers.get(id) ?? 0) - 1
      blockers.set(id, left)
      if (left === 0) free.push(id)
    }
  }
  return { order, tangled: components.filter(({ length }) => length > 1) }
}

interface Visit {
  readonly id: string
  readonly after: readonly string[]
  next: number
}

/** Groups ids that can be reached from each other (Tarjan), without recursion: there may be thousands. */
function toComponents(successors: Successors): readonly (readonly string[])[] {
  const components: string[][] = []
  const indexes = new Map<string, number>()
  const lowest = new Map<string, number>()
  const stack: string[] = []
  const onStack = new Set<string>()
  const enter = (id: string): Visit => {
    indexes.set(id, indexes.size)
    lowest.set(id, indexes.size - 1)
    stack.push(id)
    onStack.add(id)
    return { id, after: [...(successors.get(id) ?? [])], next: 0 }
  }
  const lower = (id: string, value: number | undefined): void => {
    if (value !== undefined) lowest.set(id, Math.min(lowest.get(id) ?? value, value))
  }
  for (const root of successors.keys()) {
    if (indexes.has(root)) continue
    const visits = [enter(root)]
    for (let visit = visits.at(-1); visit; visit = visits.at(-1)) {
      const { id } = visit
      const next = visit.after[visit.next++]
      if (next !== undefined && !indexes.has(next)) visits.push(enter(next))
      else if (next !== undefined) {
        if (onStack.has(next)) lower(id, indexes.get(next))
      } else {
        visits.pop()
        const parent = visits.at(-1)
        if (parent) lower(parent.id, lowest.get(id))
        if (lowest.get(id) === indexes.get(id)) components.push(takeComponent(stack, onStack, id))
      }
    }
  }
  return components
}

function takeComponent(stack: string[], onStack: Set<string>, root: string): string[] {
  const ids = stack.splice(stack.lastIndexOf(root))
  for (const id of ids) onStack.delete(id)
  return ids
}
