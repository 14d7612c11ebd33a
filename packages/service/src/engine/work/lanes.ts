/** How much runs at a time. */
export interface LaneOptions {
  /** How much in one lane. */
  readonly perLane: number
  /** How much in all lanes of one environment; a lane's name begins with it. */
  readonly perEnvironment: number
  /** How much in all lanes together. */
  readonly total: number
  /** The time, milliseconds. */
  readonly nowMs: () => number
}

/** Runs the work of many lanes in parallel, so that a slow lane does not delay the others. */
export interface Lanes {
  /**
   * Waits for a place in a lane.
   *
   * @param lane - The lane.
   * @returns Leaves the place, to be called once; `undefined` when the lane is slow and so many wait there that the work
   *   should come back later, and when the lanes are closed.
   */
  enter(lane: string): Promise<(() => void) | undefined>
  /** Sends away what waits in slow lanes beyond the first few. */
  shedLoad(): void
  /** Sends away whoever waits, and lets nobody in any more; whoever is in stays. */
  close(): void
  /** Whether they are closed. */
  isClosed(): boolean
}

interface Waiting {
  readonly sinceMs: number
  readonly admit: (isAdmitted: boolean) => void
}

interface Lane {
  active: number
  readonly waiting: Waiting[]
}

/** A lane is slow when somebody has waited for so long, milliseconds. */
const slowMs = 5000
/** So many may wait in a slow lane. */
const maxWaiting = 64

/** If the clock was set back, every waiting caller has waited long enough. */
function isSlow({ waiting: [first] }: Lane, nowMs: number): boolean {
  return first !== undefined && Math.abs(nowMs - first.sinceMs) > slowMs
}

function rejectWaiting({ waiting }: Lane, maxKept: number): void {
  for (const { admit } of waiting.splice(maxKept)) admit(false)
}

/** Counts running work, in all lanes and per environment. */
function createCounts() {
  const environments = new Map<string, number>()
  let active = 0
  // See `toLane`.
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

/**
 * Creates lanes in which nothing goes on.
 *
 * @param options - How much may go on at a time.
 */
export function createLanes({ perLane, perEnvironment, total, nowMs }: LaneOptions): Lanes {
  const lanes = new Map<string, Lane>()
  const counts = createCounts()
  let closed = false

  function leave(name: string, lane: Lane): void {
    counts.add(name, -1)
    lane.active--
    if (lane.active === 0 && lane.waiting.length === 0) lanes.delete(name)
    admit()
  }

  /** Lets in who waits, one lane after the other. */
  function admit(): void {
    for (let hasMore = true; hasMore; ) {
      hasMore = false
      for (const [name, lane] of [...lanes]) {
        if (counts.all() >= total) return
        if (lane.active >= perLane || counts.inEnvironment(name) >= perEnvironment) continue
        const next = lane.waiting.shift()
        if (!next) continue
        // The lane that was served goes to the end of the line.
        lanes.delete(name)
        lanes.set(name, lane)
        counts.add(name, 1)
        lane.active++
        hasMore = true
        next.admit(true)
      }
    }
  }

  return {
    async enter(name) {
      if (closed) return undefined
      const lane = lanes.get(name) ?? { active: 0, waiting: [] }
      if (lane.waiting.length >= maxWaiting && isSlow(lane, nowMs())) return undefined
      lanes.set(name, lane)
      const isAdmitted = await new Promise<boolean>((resolve) => {
        lane.waiting.push({ sinceMs: nowMs(), admit: resolve })
        admit()
      })
      if (!isAdmitted) return undefined
      let hasLeft = false
      return () => {
        if (!hasLeft) leave(name, lane)
        hasLeft = true
      }
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
