import { isWorkers } from './is-workers.ts'

/**
 * Resolves in the next macrotask, after pending microtasks.
 *
 * @returns A promise that is fulfilled then.
 */
export function turn(): Promise<void> {
  return new Promise(nextTurn)
}

// Saved before a test can replace the timers with fake ones, which would never fire.
const { setTimeout: ownTimeout } = globalThis

const silenceParts = 4

/**
 * Calls back after a time in which the event loop was not blocked, even if a test has replaced the timers. The time is
 * split into parts, each followed by a turn of the event loop. Otherwise, code that blocks the thread would look like
 * inactivity although events are only delayed.
 *
 * @param waitMs - The time, in milliseconds.
 * @param parts - The number of parts. More parts take longer on a busy machine.
 */
export function afterSilence(waitMs: number, callback: () => void, parts: number = silenceParts): void {
  const wait = (left: number): void =>
    void ownTimeout(() => nextTurn(left === 1 ? callback : () => wait(left - 1)), waitMs / parts)
  wait(parts)
}

/**
 * Resolves after a zero-delay timer, and therefore later than events in the next few turns of the event loop.
 *
 * @returns A promise that is fulfilled then.
 */
export function pause(): Promise<void> {
  return new Promise((resolve) => void ownTimeout(resolve, 0))
}

/** Calls back after one turn of the event loop. */
export const nextTurn: NextTurn = findNextTurn()

/** Calls back when the microtask queue is empty, or after one turn of the event loop at the latest. */
export const afterMicrotasks: NextTurn = findAfterMicrotasks()

/**
 * Resolves when the microtask queue is empty, see {@link afterMicrotasks}.
 *
 * @returns A promise that is fulfilled then.
 */
export function microtasksEnd(): Promise<void> {
  return new Promise(afterMicrotasks)
}

type NextTurn = (callback: () => void) => void

/** Uses `nextTick` only on Node, because other runtimes may not run its callbacks after the microtasks. */
function findAfterMicrotasks(): NextTurn {
  const { process } = globalThis as {
    process?: { versions?: Record<string, string>; nextTick?: (callback: () => void) => void }
  }
  const { versions, nextTick: tick } = process ?? {}
  const isNode = versions?.['node'] !== undefined && !versions['bun'] && !versions['deno'] && !isWorkers()
  return isNode && tick ? (callback) => tick(callback) : nextTurn
}

/**
 * Some edge runtimes define functions that throw when called, so each function is tried once. The functions are read at
 * load time, before a test can replace the timers.
 */
function findNextTurn(): NextTurn {
  const { setImmediate: immediate, MessageChannel: Channel } = globalThis as {
    setImmediate?: (callback: () => void) => unknown
    MessageChannel?: typeof MessageChannel
  }
  const byImmediate: NextTurn = (callback) => void immediate?.(callback)
  const byMessage: NextTurn = (callback) => Channel && post(new Channel(), callback)
  for (const [feature, candidate] of [
    [immediate, byImmediate],
    [Channel, byMessage],
  ] as const) {
    try {
      if (!feature) continue
      candidate(() => undefined)
      return candidate
    } catch {
      // Try the next one.
    }
  }
  return (callback) => void setTimeout(callback, 0)
}

function post({ port1, port2 }: MessageChannel, callback: () => void): void {
  port1.onmessage = () => {
    port1.close()
    callback()
  }
  port2.postMessage(null)
}
