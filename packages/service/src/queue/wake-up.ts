import { nap } from '../clock/nap.ts'

/** Ends a wait for work early. */
export interface WakeUp {
  /** Ends the wait of every waiting worker, or the next one's of a worker that does not wait now. */
  wake(): void
  /** Waits until woken, at most so long. */
  wait(ms: number, signal: AbortSignal): Promise<void>
}

/** Creates what workers of one queue wait at. */
export function createWakeUp(): WakeUp {
  const waiting = new Set<() => void>()
  let missed = false
  return {
    wake() {
      missed = waiting.size === 0
      for (const end of [...waiting]) end()
    },
    wait(ms, signal) {
      if (missed) {
        missed = false
        return Promise.resolve()
      }
      return nap(waiting, ms, signal)
    },
  }
}
