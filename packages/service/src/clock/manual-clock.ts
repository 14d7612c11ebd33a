import type { Clock } from './clock.ts'

/** A clock that only advances manually. */
export interface ManualClock extends Clock {
  /**
   * Advances the clock and wakes all due sleepers, in time order.
   *
   * @param ms - The duration, in milliseconds.
   */
  advance(ms: number): void
}

interface Sleeper {
  readonly endMs: number
  readonly wake: () => void
}

/**
 * Creates a clock that only advances manually.
 *
 * @param startMs - Its start time, in milliseconds since 1970. @default the system time
 */
export function createManualClock(startMs: number = Date.now()): ManualClock {
  let nowMs = startMs
  const sleepers = new Set<Sleeper>()
  return {
    now: () => nowMs,
    sleep(ms, signal) {
      if (ms <= 0 || signal?.aborted) return Promise.resolve()
      return new Promise((resolve) => {
        const wake = (): void => {
          sleepers.delete(sleeper)
          signal?.removeEventListener('abort', wake)
          resolve()
        }
        const sleeper: Sleeper = { endMs: nowMs + ms, wake }
        sleepers.add(sleeper)
        signal?.addEventListener('abort', wake, { once: true })
      })
    },
    advance(ms) {
      nowMs += ms
      const due = [...sleepers].filter(({ endMs }) => endMs <= nowMs).sort((a, b) => a.endMs - b.endMs)
      for (const { wake } of due) wake()
    },
  }
}
