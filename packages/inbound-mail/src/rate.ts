/** Counts what each sender does, within a window. */
export interface Rate {
  /**
   * Counts one more.
   *
   * @param key - The sender.
   * @returns Whether the sender may.
   */
  take(key: string): boolean
}

const windowMs = 60_000
const maxKeys = 10_000

/**
 * Creates a limit on how often each sender may do something in a minute. Of more senders than it remembers, those that came
 * first are forgotten.
 *
 * @param perMinute - How often.
 * @param now - The time.
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
