/** The source of time and waits. Tests and simulations provide a different one. */
export interface Clock {
  /** Returns the time, in milliseconds since 1970. */
  now(): number
  /**
   * Waits.
   *
   * @param ms - The duration, in milliseconds of this clock. Returns at once if not positive.
   * @param signal - Ends the wait early; the promise is also fulfilled in that case.
   */
  sleep(ms: number, signal?: AbortSignal): Promise<void>
}

/** The maximum delay of `setTimeout`. */
const longestTimeoutMs = 2 ** 31 - 1

export const systemClock: Clock = Object.freeze({
  now: () => Date.now(),
  async sleep(ms, signal) {
    // Uses a monotonic clock: otherwise, setting the system time back by an hour would extend a wait of one second by
    // an hour.
    const endMs = performance.now() + ms
    for (let leftMs = ms; leftMs > 0 && !signal?.aborted; leftMs = endMs - performance.now())
      await wait(Math.min(leftMs, longestTimeoutMs), signal)
  },
} satisfies Clock)

function wait(ms: number, signal: AbortSignal | undefined): Promise<void> {
  return new Promise((resolve) => {
    const done = (): void => {
      clearTimeout(timer)
      signal?.removeEventListener('abort', done)
      resolve()
    }
    const timer = setTimeout(done, ms)
    signal?.addEventListener('abort', done, { once: true })
  })
}
