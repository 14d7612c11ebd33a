/**
 * Waits for a time, or until the signal aborts.
 *
 * @param ms - Milliseconds.
 * @param signal - Ends the wait early.
 */
export function wait(ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (signal.aborted) return resolve()
    const done = (): void => {
      clearTimeout(timer)
      signal.removeEventListener('abort', done)
      resolve()
    }
    const timer = setTimeout(done, ms)
    signal.addEventListener('abort', done)
  })
}

/**
 * Returns the delay before an attempt, in milliseconds: 0.5 s, doubled each time, at most 30 s, with jitter so that
 * many pages do not reconnect at once.
 *
 * @param failures - The number of consecutive failed attempts.
 */
export function backoffMs(failures: number): number {
  return Math.min(30_000, 500 * 2 ** Math.min(failures, 10)) * (0.5 + Math.random() / 2)
}
