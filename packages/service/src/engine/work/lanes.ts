import type { Priority } from '../../queue/queue.ts'
import { bulkMs, createBulkLimit } from './bulk-limit.ts'

/** Limits of lanes. */
export interface LaneOptions {
  /** The maximum per lane. */
  readonly perLane: number
  /** The maximum for all lanes of one environment; the name of a lane starts with it. */
  readonly perEnvironment: number
  /** The maximum for all lanes together. */
  readonly total: number
  /** The maximum of bulk work in all lanes together while there is other work; see {@link createBulkLimit}. */
  readonly bulkBesideOthers: number
  /** The current time, in milliseconds. */
  readonly nowMs: () => number
}

/** Runs the work of many lanes in parallel, so that a slow lane does not delay the others. */
export interface Lanes {
  /**
   * Waits for a free slot in a lane.
   *
   * @param priority - The priority of the work. While there is other work, little bulk work is admitted.
   * @returns A function that frees the slot, to be called once; `undefined` if the work should be retried later,
   *   because the
   * lane is slow and has too many waiting callers, or because the lanes are closed.
   */
  enter(lane: string, priority?: Priority): Promise<(() => void) | undefined>
  /**
   * Reports work that bulk work must not delay. Such work counts for a moment, so it is reported again whenever it
   * continues after a wait.
   */
  note(priority: Priority | undefined): void
  /** Rejects waiting callers of slow lanes, except the first few. */
  shedLoad(): void
  /** Rejects all waiting and future callers. Work in progress continues. */
  close(): void
  isClosed(): boolean
}

interface Waiting {
  readonly isBulk: boolean
  readonly sinceMs: number
  /** Called with a function that ends the work, or without if it is rejected. */
  readonly admit: (end?: () => void) => void
}

interface Lane {
  active: number
  readonly waiting: Waiting[]
}

/** A lane is slow if a caller has waited for this long, in milliseconds. */
const slowMs = 5000
/** The maximum number of waiting callers in a slow lane. */
const maxWaiting = 64

/** If the clock was set back, every waiting caller has waited long enough. */
function isSlow({ waiting: [first] }: Lane, nowMs: number): boolean {
  return first !== undefined && Math.abs(nowMs - first.sinceMs) > slowMs
}

function rejectWaiting({ waiting }: Lane, maxKept: number): void {
  for (const { admit } of waiting.splice(maxKept)) admit()
}

/** Counts running work, in all lanes and per environment. */
function createCounts() {
  const environments = new Map<string, number>()
  let active = 0
  // The format of `toLane`.
  const environmentOf = (lane: string): string => lane.split('/', 1)[0] ?? lane
  const inEnvironment = (lane: string): number => environments.get(environmentOf(lane)) ?? 0
  return {
    all: (): number => active,
    inEnvironment,
    add(lane: string, change: 1 | -1): void {
      active += change
      const remaining = inEnvironment(lane) + change
      if (remaining === 0) environments.delete(environmentOf(lane))
      else environments.set(environmentOf(lane), remaining)
    },
  }
}

/** Creates empty lanes. */
export function createLanes({ perLane, perEnvironment, total, bulkBesideOthers, nowMs }: LaneOptions): Lanes {
  const lanes = new Map<string, Lane>()
  const counts = createCounts()
  const bulk = createBulkLimit({ max: bulkBesideOthers, nowMs })
  let willRetry = false
  let closed = false

  function leave(name: string, lane: Lane): void {
    counts.add(name, -1)
    lane.active--
    if (lane.active === 0 && lane.waiting.length === 0) lanes.delete(name)
    admit()
  }

  /** Admits waiting callers, one lane after the other. */
  function admit(): void {
    for (let hasMore = true; hasMore; ) {
      hasMore = false
      for (const [name, lane] of [...lanes]) {
        if (counts.all() >= total) return
        if (lane.active >= perLane || counts.inEnvironment(name) >= perEnvironment) continue
        const [next] = lane.waiting
        if (!next) continue
        if (next.isBulk && bulk.isReached()) {
          retryLater()
          continue
        }
        lane.waiting.shift()
        // Moves the lane to the end, so that the others are next.
        lanes.delete(name)
        lanes.set(name, lane)
        counts.add(name, 1)
        lane.active++
        hasMore = true
        next.admit(next.isBulk ? bulk.start() : () => undefined)
      }
    }
  }

  /** The limit of bulk work also ends with time. */
  function retryLater(): void {
    if (!willRetry) setTimeout(retry, bulkMs).unref()
    willRetry = true
  }

  function retry(): void {
    willRetry = false
    admit()
  }

  return {
    async enter(name, priority) {
      if (closed) return undefined
      const lane = lanes.get(name) ?? { active: 0, waiting: [] }
      if (lane.waiting.length >= maxWaiting && isSlow(lane, nowMs())) return undefined
      lanes.set(name, lane)
      const isBulk = priority === 'bulk'
      const end = await new Promise<(() => void) | undefined>((resolve) => {
        lane.waiting.push({ isBulk, sinceMs: nowMs(), admit: resolve })
        admit()
      })
      if (!end) return undefined
      let hasLeft = false
      return () => {
        if (hasLeft) return
        hasLeft = true
        end()
        leave(name, lane)
      }
    },
    note(priority) {
      if (priority !== 'bulk') bulk.noteOthers()
    },
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
