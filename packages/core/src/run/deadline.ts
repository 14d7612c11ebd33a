/** When a call must have been answered. One timer for the whole call. */
export interface Deadline {
  /** The call's whole time, in milliseconds. */
  readonly timeoutMs: number
  /** When it passes, on the clock of `performance.now()`. */
  readonly atMs: number
  /** Whether it has passed. */
  readonly expired: boolean
  /** Calls back when it passes; the last one set counts, `null` takes it back. */
  onExpire(callback: (() => void) | null): void
  /** Gives what work gives, or `undefined` when it is not done in time. What the work does later is ignored. */
  within<TValue>(work: TValue | Promise<TValue>): Promise<TValue | undefined>
  /** Ends the timer; the deadline passes no more. */
  clear(): void
}

/**
 * Starts a call's deadline.
 *
 * @param timeoutMs - From now, in milliseconds.
 */
export function createDeadline(timeoutMs: number): Deadline {
  let expired = false
  let listener: (() => void) | null = null
  const atMs = performance.now() + timeoutMs
  const timer = setTimeout(() => {
    expired = true
    listener?.()
  }, timeoutMs)
  return {
    timeoutMs,
    atMs,
    get expired() {
      return expired
    },
    onExpire(callback) {
      listener = callback
    },
    async within(work) {
      if (!(work instanceof Promise)) return work
      return new Promise((resolve, reject) => {
        listener = () => resolve(undefined)
        work.then(resolve, reject)
      })
    },
    clear() {
      clearTimeout(timer)
      listener = null
    },
  }
}
