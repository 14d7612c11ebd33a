import type { Clock } from './clock.ts'

/** A clock that stands still until it is moved. */
export interface ManualClock extends Clock {
  /**
   * Moves the clock and wakes every sleeper whose time has come, in the order of their times.
   *
   * @param ms - How far, in milliseconds.
   */
  advance(ms: number): void
}

interface Sleeper {
  readonly endMs: number
  readonly wake: () => void
}

/**
 * Creates a clock that stands still until it is moved.
 *
 * @param startMs - Its first time, in milliseconds since 1970. @default the time of the machine
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
