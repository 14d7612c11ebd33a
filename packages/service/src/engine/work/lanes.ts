/** How much goes on at a time. */
export interface LaneLimits {
  /** In one lane. */
  readonly perLane: number
  /** In all lanes together. */
  readonly total: number
}

/** Lets work of many lanes go on side by side, so that a slow lane does not hold up the others. */
export interface Lanes {
  /**
   * Waits for a place in a lane.
   *
   * @param lane - The lane.
   * @returns Leaves the place; to be called once.
   */
  enter(lane: string): Promise<() => void>
  /**
   * Returns how many wait for a place in a lane.
   *
   * @param lane - The lane.
   */
  waiting(lane: string): number
}

interface Lane {
  active: number
  readonly waiting: (() => void)[]
}

/**
 * Creates lanes in which nothing goes on.
 *
 * @param limits - How much may go on at a time.
 */
export function createLanes({ perLane, total }: LaneLimits): Lanes {
  const lanes = new Map<string, Lane>()
  let active = 0

  function leave(name: string, lane: Lane): void {
    active--
    lane.active--
    if (lane.active === 0 && lane.waiting.length === 0) lanes.delete(name)
    admit()
  }

  /** Lets in who waits, one lane after the other. */
  function admit(): void {
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
      next()
    }
  }

  return {
    waiting: (name) => lanes.get(name)?.waiting.length ?? 0,
    async enter(name) {
      const lane = lanes.get(name) ?? { active: 0, waiting: [] }
      lanes.set(name, lane)
      await new Promise<void>((resolve) => {
        lane.waiting.push(resolve)
        admit()
      })
      let left = false
      return () => {
        if (!left) leave(name, lane)
        left = true
      }
    },
  }
}
