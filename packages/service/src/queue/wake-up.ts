import { nap } from '../clock/nap.ts'

export interface WakeUp {
  /** Ends the wait of all waiting workers. If none is waiting, the next wait returns at once. */
  wake(): void
  /** Waits until woken, at most `ms` milliseconds. */
  wait(ms: number, signal: AbortSignal): Promise<void>
}

/** Creates the wake-up that the workers of a queue share. */
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
