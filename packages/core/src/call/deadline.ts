import { CodedError } from '@trestle/protocol'
import type { TimerEntry, TimerQueue } from '../base/timer-queue.ts'

/** The deadline of a call. Each call has one. */
export interface Deadline {
  /** The total time limit of the call, in milliseconds. */
  readonly timeoutMs: number
  /** The time at which it expires, on the clock of `performance.now()`. */
  readonly atMs: number
  expired: boolean
  /** Calls back when the deadline expires; a later callback replaces an earlier one, and `null` removes it. */
  onExpire(callback: (() => void) | null): void
  /** Returns the result of work, or `undefined` if it is not done in time. A later result is ignored. */
  within<TValue>(work: Promise<TValue>): Promise<TValue | undefined>
  /**
   * Calls back with a `StepExecutionTimeoutError` shortly after the deadline, if the call has not ended: app code that
   * never settles must not block the caller.
   */
  onOutlasted(callback: (error: CodedError) => void): void
  /** Cancels the deadline. */
  clear(): void
}

// How long a deadline callback can take to end the call with its own response.
const graceMs = 100

/**
 * Starts a call's deadline.
 *
 * @param queue - The timer queue of the bridge, in which all entries have the time limit of a call.
 * @param timeoutMs - The time limit, in milliseconds.
 */
export function createDeadline(queue: TimerQueue, timeoutMs: number): Deadline {
  // Setting the prototype in the literal is faster than Object.create.
  const deadline = {
    __proto__: methods,
    queue,
    timeoutMs,
    atMs: 0,
    expired: false,
    before: undefined,
    after: undefined,
    waits: false,
    listener: null,
    last: null,
    grace: undefined,
  } as unknown as Waiting
  queue.add(deadline)
  return deadline
}

/** A deadline and its entry in the queue. */
interface Waiting extends Deadline, TimerEntry {
  queue: TimerQueue
  timeoutMs: number
  atMs: number
  listener: (() => void) | null
  last: ((error: CodedError) => void) | null
  grace: ReturnType<typeof setTimeout> | undefined
}

// Shared by all deadlines: creating closures for each call would cost more than the timer itself.
const methods: Pick<Waiting, 'fire' | 'onExpire' | 'within' | 'onOutlasted' | 'clear'> & ThisType<Waiting> = {
  fire() {
    this.expired = true
    this.listener?.()
    this.grace = setTimeout(() => this.last?.(outlasted(this.timeoutMs)), graceMs)
  },
  onExpire(callback) {
    this.listener = callback
  },
  within(work) {
    return new Promise((resolve, reject) => {
      const giveUp = (): void => resolve(undefined)
      this.listener = giveUp
      work.then(resolve, reject)
      // The deadline may have passed while code was being loaded; finished work still counts.
      if (this.expired) void Promise.resolve().then(giveUp)
    })
  },
  onOutlasted(callback) {
    this.last = callback
  },
  clear() {
    this.queue.remove(this)
    clearTimeout(this.grace)
    this.listener = null
    this.last = null
  },
}

function outlasted(timeoutMs: number): CodedError {
  return new CodedError(
    'StepExecutionTimeoutError',
    `The call took longer than ${timeoutMs} ms, outside a step handler (schema, nonce store or REST API).`,
    { data: { timeoutMs } },
  )
}
