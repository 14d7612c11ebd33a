import { CodedError } from '@trestle/protocol'
import type { TimerEntry, TimerQueue } from '../base/timer-queue.ts'

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
  // The prototype is set as the object is made: to create it by its prototype and fill it costs more.
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

/** A deadline, and its place in the queue. */
interface Waiting extends Deadline, TimerEntry {
  queue: TimerQueue
  timeoutMs: number
  atMs: number
  listener: (() => void) | null
  last: ((error: CodedError) => void) | null
  grace: ReturnType<typeof setTimeout> | undefined
}

// Shared by all deadlines: functions of its own would cost each call more than the wait does.
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
      // It may have passed while code was loaded; what is done already still counts.
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
    `The call took longer than ${timeoutMs} ms, outside a step handler (schema, hook, nonce store or REST API).`,
    { data: { timeoutMs } },
  )
}
