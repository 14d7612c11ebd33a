import { CodedError } from '@trestle/protocol'

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
  /** Returns what work gives, or `undefined` when it is not done in time. What the work does later is ignored. */
  within<TValue>(work: Promise<TValue>): Promise<TValue | undefined>
  /**
   * Calls back with a `StepExecutionTimeoutError` a little after the deadline, where nobody who was told of it has ended
   * the call: code of the app that never settles must not keep the caller waiting.
   */
  onOutlasted(callback: (error: CodedError) => void): void
  /** Ends the timer; the deadline passes no more. */
  clear(): void
}

// How long whoever was told of the deadline may take to end the call with an answer of its own.
const graceMs = 100

/**
 * Starts a call's deadline.
 *
 * @param timeoutMs - From now, in milliseconds.
 */
export function createDeadline(timeoutMs: number): Deadline {
  let listener: (() => void) | null = null
  let last: ((error: CodedError) => void) | null = null
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
    onOutlasted(callback) {
      last = callback
    },
    clear() {
      clearTimeout(timer)
      listener = null
      last = null
    },
  }
  let timer = setTimeout(() => {
    deadline.expired = true
    listener?.()
    timer = setTimeout(() => last?.(outlasted(timeoutMs)), graceMs)
  }, timeoutMs)
  return deadline
}

function outlasted(timeoutMs: number): CodedError {
  return new CodedError(
    'StepExecutionTimeoutError',
    `The call took longer than ${timeoutMs} ms, outside a step handler (schema, hook, nonce store or REST API).`,
    { data: { timeoutMs } },
  )
}
