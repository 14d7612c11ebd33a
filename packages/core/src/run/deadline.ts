/** When a call must have been answered. One timer for the whole call. */
export interface Deadline {
  /** The call's whole time, in milliseconds. */
  readonly timeoutMs: number
  /** When it passes, on the clock of `performance.now()`. */
  readonly atMs: number
  /** Whether it has passed. */
  expired: boolean
  /** Calls back when it passes; the last one set counts, `null` takes it back. */
  onExpire(callback: (() => void) | null): void
  /** Gives what work gives, or `undefined` when it is not done in time. What the work does later is ignored. */
  within<TValue>(work: Promise<TValue>): Promise<TValue | undefined>
  /** Ends the timer; the deadline passes no more. */
  clear(): void
}

/**
 * Starts a call's deadline.
 *
 * @param timeoutMs - From now, in milliseconds.
 */
export function createDeadline(timeoutMs: number): Deadline {
  let listener: (() => void) | null = null
  const deadline: Deadline = {
    timeoutMs,
    atMs: performance.now() + timeoutMs,
    // A field and no accessor: an object with accessors of its own costs a hidden class for each call.
    expired: false,
    onExpire(callback) {
      listener = callback
    },
    within: (work) =>
      new Promise((resolve, reject) => {
        listener = () => resolve(undefined)
        work.then(resolve, reject)
      }),
    clear() {
      clearTimeout(timer)
      listener = null
    },
  }
  const timer = setTimeout(() => {
    deadline.expired = true
    listener?.()
  }, timeoutMs)
  return deadline
}
