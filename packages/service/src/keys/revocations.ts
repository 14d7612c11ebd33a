import { ApiError } from '../api/api-error.ts'
import { nap } from '../clock/nap.ts'

/** Another process may have replaced a key; this one knows at once. */
const everyMs = 500

/** Tells when callers may call no more. */
export interface Revocations {
  /**
   * Resolves when a caller may call no more: at once if this process replaced the key, else within half a second; also when
   * the signal aborts.
   *
   * @param identify - Identifies the caller again; rejects with an {@link ApiError} if it may call no more.
   * @param signal - Ends it.
   */
  whenRevoked(identify: () => Promise<unknown>, signal: AbortSignal): Promise<void>
  /** Identifies all callers now: a key was replaced or deleted. */
  check(): void
}

/** Creates what tells when callers may call no more. */
export function createRevocations(): Revocations {
  const waiting = new Set<() => void>()
  return {
    async whenRevoked(identify, signal) {
      while (!signal.aborted && (await isAdmitted(identify))) await nap(waiting, everyMs, signal)
    },
    check() {
      for (const wake of waiting) wake()
    },
  }
}

/** A database that is away for a moment ends no stream: the next look decides. */
async function isAdmitted(identify: () => Promise<unknown>): Promise<boolean> {
  try {
    await identify()
    return true
  } catch (error) {
    return !(error instanceof ApiError && error.status < 500)
  }
}
