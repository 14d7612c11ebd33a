/** How much goes on at a time. */
export interface LaneOptions {
  /** How much in one lane. */
  readonly perLane: number
  /** How much in all lanes together. */
  readonly total: number
  /** The time, milliseconds. */
  readonly nowMs: () => number
}

/** Lets work of many lanes go on side by side, so that a slow lane does not hold up the others. */
export interface Lanes {
  /**
   * Waits for a place in a lane.
   *
   * @param lane - The lane.
   * @returns Leaves the place, to be called once; `undefined` when the lane is slow and so many wait there that the work
   *   should come back later.
   */
  enter(lane: string): Promise<(() => void) | undefined>
  /** Sends away what waits in slow lanes beyond the first few. */
  relieve(): void
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
const keptWaiting = 64

/**
 * Creates lanes in which nothing goes on.
 *
 * @param options - How much may go on at a time.
 */
export function createLanes({ perLane, total, nowMs }: LaneOptions): Lanes {
  const lanes = new Map<string, Lane>()
  let active = 0

  // Where the time was set back meanwhile, whoever waits has waited for long enough.
  const isSlow = ({ waiting: [first] }: Lane): boolean =>
    first !== undefined && Math.abs(nowMs() - first.sinceMs) > slowMs

  function leave(name: string, lane: Lane): void {
    active--
    lane.active--
    if (lane.active === 0 && lane.waiting.length === 0) lanes.delete(name)
    admit()
  }

  /** Lets in who waits, one lane after the other. */
  function admit(): void {
    for (let isMore = true; isMore; ) {
      isMore = false
      for (const [name, lane] of [...lanes]) {
        if (active >= total) return
        if (lane.active >= perLane) continue
        const next = lane.waiting.shift()
        if (!next) continue
        // The lane that was served goes to the end of the line.
        lanes.delete(name)
        lanes.set(name, lane)
        active++
        lane.active++
        isMore = true
        next.admit(true)
      }
    }
  }

  return {
    async enter(name) {
      const lane = lanes.get(name) ?? { active: 0, waiting: [] }
      if (lane.waiting.length >= keptWaiting && isSlow(lane)) return undefined
      lanes.set(name, lane)
      const isAdmitted = await new Promise<boolean>((resolve) => {
        lane.waiting.push({ sinceMs: nowMs(), admit: resolve })
        admit()
      })
      if (!isAdmitted) return undefined
      let left = false
      return () => {
        if (!left) leave(name, lane)
        left = true
      }
    },
    relieve() {
      for (const lane of lanes.values())
        if (isSlow(lane)) for (const { admit: decide } of lane.waiting.splice(keptWaiting)) decide(false)
    },
  }
}
