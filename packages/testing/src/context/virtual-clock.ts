import { AsyncLocalStorage } from 'node:async_hooks'

/** A timer set by a virtual clock instead of the process. */
export interface VirtualTimer {
  /** When the timer fires, in milliseconds since 1970. */
  atMs: number
  /** Orders timers that fire at the same time. */
  sequence: number
  /** Time between two firings; `undefined` for a timer that fires once. */
  readonly everyMs: number | undefined
  /** Calls back, in the async context in which the timer was set. */
  readonly fire: () => void
}

/** A manually advanced clock with its timers. */
export interface VirtualClock {
  /** The start time, milliseconds since 1970. */
  readonly startMs: number
  /** The time, milliseconds since 1970. */
  readonly nowMs: number
  /** Whether this clock sets timers instead of the process. */
  active: boolean
  set(callback: () => void, afterMs: number, everyMs?: number): VirtualTimer
  clear(timer: VirtualTimer): void
  /** Returns when the next timer fires; `undefined` if there is none. */
  nextMs(): number | undefined
  /** How many timers have been set so far. */
  readonly count: number
  /** Returns how many of the timers set after a count are still pending. */
  countSince(count: number): number
  /** Moves to the time of the next timer, and fires it. */
  fireNext(): void
  /** Advances the clock without firing timers. */
  moveTo(nowMs: number): void
}

// After this many timers at one time the clock advances, so that zero-delay timers cannot stop it.
const maxAtOnce = 1000

/** @param startMs - Its time, milliseconds since 1970. */
export function createVirtualClock(startMs: number): VirtualClock {
  const timers = new Set<VirtualTimer>()
  let nowMs = startMs
  let sequence = 0
  let firedNow = 0
  const findNext = (): VirtualTimer | undefined => {
    let next: VirtualTimer | undefined
    for (const timer of timers) if (!next || isBefore(timer, next)) next = timer
    return next
  }
  const moveTo = (toMs: number): void => {
    if (toMs > nowMs) firedNow = 0
    nowMs = Math.max(nowMs, toMs)
  }
  return {
    startMs,
    get nowMs() {
      return nowMs
    },
    active: false,
    set(callback, afterMs, everyMs) {
      const inSurroundings = AsyncLocalStorage.snapshot()
      const fire = (): void => inSurroundings(callback)
      const timer: VirtualTimer = { atMs: nowMs + afterMs, sequence: sequence++, everyMs, fire }
      timers.add(timer)
      return timer
    },
    clear: (timer) => void timers.delete(timer),
    nextMs: () => findNext()?.atMs,
    get count() {
      return sequence
    },
    countSince: (count) => [...timers].filter((timer) => timer.sequence >= count).length,
    fireNext() {
      const next = findNext()
      if (!next) return
      moveTo(next.atMs)
      if (++firedNow > maxAtOnce) nowMs += 1
      if (next.everyMs === undefined) timers.delete(next)
      else Object.assign(next, { atMs: nowMs + next.everyMs, sequence: sequence++ })
      next.fire()
    },
    moveTo,
  }
}

function isBefore(one: VirtualTimer, other: VirtualTimer): boolean {
  return one.atMs < other.atMs || (one.atMs === other.atMs && one.sequence < other.sequence)
}
