import { onAbort } from '../base/on-abort.ts'
import { deadline } from '../failure/fault.ts'

/** Configures {@link withDeadline}. */
export interface DeadlineOptions {
  /** The timeout of the work, in milliseconds. */
  readonly timeoutMs: number
  /** Calls back once after a time, and returns a function that cancels the callback. */
  readonly startTimer: (ms: number, onTimeout: () => void) => () => void
  readonly signal: AbortSignal | undefined
}

/**
 * Runs work with a signal that aborts after a timeout, with {@link deadline}, or when the caller's signal aborts, with
 * its reason.
 *
 * @param options - The timeout and the caller's signal.
 */
export async function withDeadline<T>(work: (signal: AbortSignal) => Promise<T>, options: DeadlineOptions): Promise<T> {
  const { timeoutMs, startTimer, signal } = options
  const controller = new AbortController()
  const stopListening = onAbort(signal, () => controller.abort(signal?.reason))
  const stopTimer = startTimer(timeoutMs, () => controller.abort(deadline))
  try {
    return await work(controller.signal)
  } finally {
    stopTimer()
    stopListening()
  }
}
