import { type Priority, priorities } from './queue.ts'
import { createSlots, type SlotOptions, type Slots } from './slots.ts'

/** Limits of lanes. */
export interface LaneOptions extends SlotOptions {
  /** The maximum per lane. */
  readonly perLane: number
}

/** Runs the work of many lanes in parallel, so that a slow lane does not delay the others. */
export interface Lanes extends Pick<Slots, 'note'> {
  /**
   * Waits for a free slot in a lane.
   *
   * @param priority - The priority of the work: callers with a higher one are admitted first. While there is other work,
   *   little bulk work is admitted.
   * @returns A function that frees the slot, to be called once; `undefined` if the work should be retried later, because
   *   the lane is slow and has too many waiting callers that come first, or because the lanes are closed.
   */
  enter(lane: string, priority?: Priority): Promise<(() => void) | undefined>
  /** Rejects waiting callers of slow lanes, those with the lowest priority first, except a few. */
  shedLoad(): void
  /** Rejects all waiting and future callers. Work in progress continues. */
  close(): void
  isClosed(): boolean
}

interface Waiting {
  readonly priority: Priority | undefined
  readonly sinceMs: number
  /** Called with a function that leaves the lane, or without one if the caller is rejected. */
  readonly admit: (leave?: () => void) => void
}

interface Lane {
  active: number
  /** By priority; callers of the same priority in their order. */
  readonly waiting: Waiting[]
}

/** A lane is slow if a caller has waited for this long, in milliseconds. */
const slowMs = 5000
/** The maximum number of waiting callers in a slow lane. */
const maxWaiting = 64

/** If the clock was set back, every waiting caller has waited long enough. */
function isSlow({ waiting }: Lane, nowMs: number): boolean {
  return waiting.some(({ sinceMs }) => Math.abs(nowMs - sinceMs) > slowMs)
}

const rankOf = ({ priority = 'fresh' }: Waiting): number => priorities.indexOf(priority)

function addWaiting({ waiting }: Lane, caller: Waiting): void {
  const after = waiting.findLastIndex((other) => rankOf(other) <= rankOf(caller))
  waiting.splice(after + 1, 0, caller)
}

/** Rejects the last callers, which have the lowest priority. */
function rejectWaiting({ waiting }: Lane, maxKept: number): void {
  for (const { admit } of waiting.splice(maxKept)) admit()
}

/** Creates empty lanes. */
export function createLanes({ perLane, ...limits }: LaneOptions): Lanes {
  const { nowMs } = limits
  const lanes = new Map<string, Lane>()
  const slots = createSlots(limits, admit)
  let closed = false

  /** Admits waiting callers, one lane after the other. */
  function admit(): void {
    for (let hasMore = true; hasMore; ) {
      hasMore = false
      for (const [name, lane] of [...lanes]) {
        const [next] = lane.waiting
        const free = next && lane.active < perLane ? slots.take(name, next.priority) : undefined
        if (!next || !free) continue
        lane.waiting.shift()
        // Moves the lane to the end, so that the others are next.
        lanes.delete(name)
        lanes.set(name, lane)
        lane.active++
        hasMore = true
        next.admit(toLeave(name, lane, free))
      }
    }
  }

  function toLeave(name: string, lane: Lane, free: () => void): () => void {
    return () => {
      free()
      lane.active--
      if (lane.active === 0 && lane.waiting.length === 0) lanes.delete(name)
      admit()
    }
  }

  return {
    async enter(name, priority) {
      if (closed) return undefined
      const lane = lanes.get(name) ?? { active: 0, waiting: [] }
      lanes.set(name, lane)
      return new Promise((resolve) => {
        addWaiting(lane, { priority, sinceMs: nowMs(), admit: resolve })
        if (lane.waiting.length > maxWaiting && isSlow(lane, nowMs())) rejectWaiting(lane, maxWaiting)
        admit()
      })
    },
    note: slots.note,
    shedLoad() {
      for (const lane of lanes.values()) if (isSlow(lane, nowMs())) rejectWaiting(lane, maxWaiting)
    },
    close() {
      closed = true
      for (const lane of lanes.values()) rejectWaiting(lane, 0)
    },
    isClosed: () => closed,
  }
}
