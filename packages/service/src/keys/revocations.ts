import { ApiError } from '../api/api-error.ts'
import { nap } from '../clock/nap.ts'

/** How long another process may take to notice a replaced key; this process notices at once. */
const everyMs = 500

/** Reports revoked callers. */
export interface Revocations {
  /**
   * Resolves when a caller is revoked: at once if this process replaced the key, else within half a second. Also
   * resolves when the signal aborts.
   *
   * @param identify - Identifies the caller again; rejects with an {@link ApiError} if it is revoked.
   */
  whenRevoked(identify: () => Promise<unknown>, signal: AbortSignal): Promise<void>
  /** Identifies all callers now, after a key was replaced or deleted. */
  check(): void
  /** Calls back at every check. */
  onCheck(listener: () => void): void
}

/** Creates the revocations of a process. */
export function createRevocations(): Revocations {
  const waiting = new Set<() => void>()
  const listeners: (() => void)[] = []
  return {
    async whenRevoked(identify, signal) {
      while (!signal.aborted && (await isAdmitted(identify))) await nap(waiting, everyMs, signal)
    },
    check() {
      for (const wake of waiting) wake()
      for (const listener of listeners) listener()
    },
    onCheck: (listener) => void listeners.push(listener),
  }
}

/** A brief database outage ends no stream; the next check decides. */
async function isAdmitted(identify: () => Promise<unknown>): Promise<boolean> {
  try {
    await identify()
    return true
  } catch (error) {
    return !(error instanceof ApiError && error.status < 500)
  }
}
