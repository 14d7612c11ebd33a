/** What code under test does and waits for, as far as it can be seen. */
export interface RealWork {
  /** What is under way outside: files, threads, requests, real timers. By the ids of async resources, or as promises. */
  readonly pending: Set<unknown>
  /** Whether a connection was opened: of its work only the silence between callbacks is seen. */
  hasConnection: boolean
  /** When something last came of the world outside, on the clock of the process; `undefined` when nothing has. */
  outsideMs: number | undefined
  /** When the code last did anything, on the clock of the process. */
  insideMs: number
}

// How long something outside, of which only silence is seen, may take to say something.
const silenceMs = 250

// Kept from before a test could put others in their place.
const { performance } = globalThis
const realNow = performance.now.bind(performance)

/** Creates the state of code that has not begun. */
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

/** Returns for how long the code has done nothing and waited for nothing outside, in milliseconds; 0 while it does. */
export function quietMsOf({ pending, outsideMs, insideMs }: RealWork): number {
  const nowMs = realNow()
  const isWaiting = pending.size > 0 || (outsideMs !== undefined && nowMs - outsideMs < silenceMs)
  return isWaiting ? 0 : nowMs - insideMs
}

/** Returns whether something outside is under way: a timer, a request, a connection that was heard of lately. */
export function isWorkingOutside({ pending, hasConnection, outsideMs }: RealWork): boolean {
  return pending.size > 0 || (hasConnection && outsideMs !== undefined && realNow() - outsideMs < silenceMs)
}
