/** Callbacks at times of the virtual clock. */
export interface Alarms {
  /** @param atMs - When to run the callback, in milliseconds since 1970. */
  set(atMs: number, ring: () => Promise<void>): void
  /** Runs all callbacks by time; those of the same time in the order in which they were set. */
  ringAll(): Promise<void>
}

interface Alarm {
  readonly atMs: number
  readonly ring: () => Promise<void>
}

/** Creates a clock without callbacks. */
export function createAlarms(): Alarms {
  const alarms: Alarm[] = []
  return {
    set: (atMs, ring) => void alarms.push({ atMs, ring }),
    async ringAll() {
      for (;;) {
        // Sorting keeps the order of equal times.
        const next = alarms.sort((left, right) => left.atMs - right.atMs).shift()
        if (!next) return
        await next.ring()
      }
    },
  }
}
