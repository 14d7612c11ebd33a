/** The observable work of code under test. */
export interface RealWork {
  /** Pending external work: files, threads, requests, real timers. Ids of async resources, or promises. */
  readonly pending: Set<unknown>
  /** Whether a connection was opened: its work can only be detected when callbacks run, not between them. */
  hasConnection: boolean
  /** When external activity was last seen, on the process clock; `undefined` if there was none. */
  outsideMs: number | undefined
  /** When the code last did anything, on the process clock. */
  insideMs: number
}

// How long external work can be inactive before it counts as finished.
const silenceMs = 250

// Saved before a test can replace them.
const { performance } = globalThis
const realNow = performance.now.bind(performance)

/** Creates the state of code that has not started. */
export function createRealWork(): RealWork {
  return { pending: new Set(), hasConnection: false, outsideMs: undefined, insideMs: realNow() }
}

/** Records external activity. */
export function noteOutside(work: RealWork): void {
  work.outsideMs = realNow()
}

/** Records activity of the code. */
export function noteInside(work: RealWork): void {
  work.insideMs = realNow()
}

/**
 * Tracks a promise that external work will settle.
 *
 * @param work - The work; if `undefined`, the call has no effect.
 */
export function holdWork(work: RealWork | undefined, promise: unknown): void {
  if (!work || !(promise instanceof Promise)) return
  work.pending.add(promise)
  const end = (): void => {
    work.pending.delete(promise)
    noteOutside(work)
  }
  promise.then(end, end)
}

/** Returns how long the code has been idle, without external work, in milliseconds; 0 while it is active. */
export function quietMsOf({ pending, outsideMs, insideMs }: RealWork): number {
  const nowMs = realNow()
  const isWaiting = pending.size > 0 || (outsideMs !== undefined && nowMs - outsideMs < silenceMs)
  return isWaiting ? 0 : nowMs - insideMs
}

/** Returns whether external work is pending: a timer, a request, a recently active connection. */
export function isWorkingOutside({ pending, hasConnection, outsideMs }: RealWork): boolean {
  return pending.size > 0 || (hasConnection && outsideMs !== undefined && realNow() - outsideMs < silenceMs)
}
