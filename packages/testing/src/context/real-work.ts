/** The observable work of code under test. */
export interface RealWork {
  /** Pending work outside: files, threads, requests, real timers. Ids of async resources, or promises. */
  readonly pending: Set<unknown>
  /** Whether a connection was opened: of its work only the silence between callbacks is seen. */
  hasConnection: boolean
  /** When external activity was last seen, on the clock of the process; `undefined` if there was none. */
  outsideMs: number | undefined
  /** When the code last did anything, on the clock of the process. */
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

/** Notes that something happened outside. */
export function noteOutside(work: RealWork): void {
  work.outsideMs = realNow()
}

/** Notes that the code does something. */
export function noteInside(work: RealWork): void {
  work.insideMs = realNow()
}

/**
 * Notes a promise that something outside will settle.
 *
 * @param work - The work; nothing happens without it.
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
