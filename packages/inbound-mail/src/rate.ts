/** Limits the actions of each sender within a window. */
export interface Rate {
  /**
   * Counts an action.
   *
   * @param key - The sender to count the action for.
   * @returns Whether it is allowed.
   */
  take(key: string): boolean
}

const windowMs = 60_000
const maxKeys = 10_000

/**
 * Creates a limit on the number of actions per sender and minute. If there are more senders than the limit can track,
 * the oldest are forgotten.
 *
 * @param perMinute - The maximum number of actions.
 * @param now - Returns the time, in milliseconds since 1970.
 */
export function createRate(perMinute: number, now: () => number): Rate {
  const counts = new Map<string, { readonly sinceMs: number; count: number }>()
  return {
    take(key) {
      const nowMs = now()
      const held = counts.get(key)
      const entry = held !== undefined && nowMs - held.sinceMs < windowMs ? held : { sinceMs: nowMs, count: 0 }
      entry.count++
      counts.delete(key)
      counts.set(key, entry)
      if (counts.size > maxKeys) for (const oldest of [...counts.keys()].slice(0, maxKeys / 10)) counts.delete(oldest)
      return entry.count <= perMinute
    },
  }
}
