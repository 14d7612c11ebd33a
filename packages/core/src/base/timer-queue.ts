import { isWorkers } from './is-workers.ts'

/** An entry of a {@link TimerQueue} with its position in one object, because each call creates one. */
export interface TimerEntry {
  /** Called when the time has passed. */
  fire(): void
  /** The due time on the clock of `performance.now()`; set when the wait starts. */
  atMs: number
  before: TimerEntry | undefined
  after: TimerEntry | undefined
  waits: boolean
}

/** Many waits of equal length that share one timer, because separate timers would cost too much. */
export interface TimerQueue {
  /** Starts a wait now. */
  add(entry: TimerEntry): void
  /** Ends a wait early; has no effect if it has already ended. */
  remove(entry: TimerEntry): void
}

interface Timer {
  ref?(): unknown
  unref?(): unknown
}

// Timers fire up to a millisecond early on the clock of performance.now().
const toleranceMs = 1
// A timer this late is lost: a test has removed the fake clock that created it.
const lostAfterMs = 50

/**
 * Creates a queue of waits of equal length. Waits end in the order in which they started, so one timer for the first is
 * enough. The timer keeps the process alive only while there are entries.
 *
 * @param waitMs - The length of a wait, in milliseconds.
 * @param shared - Whether all waits may share one timer. Some edge runtimes tie a timer to the request that set it.
 */
export function createTimerQueue(waitMs: number, shared: boolean = sharesTimers()): TimerQueue {
  return shared ? createSharedQueue(waitMs) : createSeparateTimers(waitMs)
}

function createSharedQueue(waitMs: number): TimerQueue {
  let first: TimerEntry | undefined
  let last: TimerEntry | undefined
  let timer: Timer | undefined
  let dueMs = 0

  const remove = (entry: TimerEntry): void => {
    if (!entry.waits) return
    entry.waits = false
    if (entry.before) entry.before.after = entry.after
    else first = entry.after
    if (entry.after) entry.after.before = entry.before
    else last = entry.before
    entry.before = undefined
    entry.after = undefined
    if (!first) timer?.unref?.()
  }
  const arm = (atMs: number, nowMs: number): void => {
    dueMs = atMs
    timer = setTimeout(onTimer, Math.max(0, atMs - nowMs)) as Timer
  }
  const onTimer = (): void => {
    timer = undefined
    const nowMs = performance.now()
    while (first && first.atMs <= nowMs + toleranceMs) {
      const entry = first
      remove(entry)
      entry.fire()
    }
    if (first && !timer) arm(first.atMs, nowMs)
  }
  return {
    add(entry) {
      const nowMs = performance.now()
      entry.atMs = nowMs + waitMs
      entry.before = last
      entry.waits = true
      if (last) last.after = entry
      else first = entry
      last = entry
      if (!timer || nowMs > dueMs + lostAfterMs) arm((first ?? entry).atMs, nowMs)
      else if (first === entry) timer.ref?.()
    },
    remove,
  }
}

function createSeparateTimers(waitMs: number): TimerQueue {
  const timers = new WeakMap<TimerEntry, ReturnType<typeof setTimeout>>()
  return {
    add(entry) {
      entry.atMs = performance.now() + waitMs
      timers.set(
        entry,
        setTimeout(() => entry.fire(), waitMs),
      )
    },
    remove: (entry) => clearTimeout(timers.get(entry)),
  }
}

/** Returns whether timers belong to the process, as on Node, and not to a request. */
function sharesTimers(): boolean {
  const { process } = globalThis as { process?: { versions?: { node?: string } } }
  return process?.versions?.node !== undefined && !isWorkers()
}
