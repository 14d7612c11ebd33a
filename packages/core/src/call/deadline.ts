import { CodedError } from '@trestle/protocol'
import type { TimerQueue } from '../base/timer-queue.ts'

/** When a call must have been answered. One wait for the whole call. */
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
  /** Ends the wait; the deadline passes no more. */
  clear(): void
}

// How long whoever was told of the deadline may take to end the call with an answer of its own.
const graceMs = 100

/**
 * Starts a call's deadline.
 *
 * @param queue - The waits of the bridge; each is as long as a call may take.
 * @param timeoutMs - Their length, in milliseconds.
 */
export function createDeadline(queue: TimerQueue, timeoutMs: number): Deadline {
  let listener: (() => void) | null = null
  let last: ((error: CodedError) => void) | null = null
  let grace: ReturnType<typeof setTimeout> | undefined
  const entry = queue.add(() => {
    deadline.expired = true
    listener?.()
    grace = setTimeout(() => last?.(outlasted(timeoutMs)), graceMs)
  })
  const deadline: Deadline = {
    timeoutMs,
    atMs: entry.atMs,
    // A field and no accessor: an object with accessors of its own costs a hidden class for each call.
    expired: false,
    onExpire(callback) {
      listener = callback
    },
    within: (work) =>
      new Promise((resolve, reject) => {
        listener = () => resolve(undefined)
        work.then(resolve, reject)
        // It may have passed while code was loaded; what is done already still counts.
        if (deadline.expired) void Promise.resolve().then(listener)
      }),
    onOutlasted(callback) {
      last = callback
    },
    clear() {
      queue.remove(entry)
      clearTimeout(grace)
      listener = null
      last = null
    },
  }
  return deadline
}

function outlasted(timeoutMs: number): CodedError {
  return new CodedError(
    'StepExecutionTimeoutError',
    `The call took longer than ${timeoutMs} ms, outside a step handler (schema, hook, nonce store or REST API).`,
    { data: { timeoutMs } },
  )
}
