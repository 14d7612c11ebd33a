import { isWorkers } from './is-workers.ts'

/**
 * Resolves in the next macrotask, after pending microtasks.
 *
 * @returns A promise that is fulfilled then.
 */
export function turn(): Promise<void> {
  return new Promise(nextTurn)
}

// Kept from before a test can put fake timers in their place, which would never fire.
const { setTimeout: ownTimeout } = globalThis

const silenceParts = 4

/**
 * Calls back after a time in which the event loop has kept turning, also if a test has replaced the timers. The time is
 * waited in parts with a turn after each: otherwise code that blocks the thread for as long looks like silence, though what
 * the event loop has to bring is only late.
 *
 * @param waitMs - The time, in milliseconds.
 * @param callback - What to call.
 * @param parts - How many parts. More of them take longer on a busy machine.
 */
export function afterSilence(waitMs: number, callback: () => void, parts: number = silenceParts): void {
  const wait = (left: number): void =>
    void ownTimeout(() => nextTurn(left === 1 ? callback : () => wait(left - 1)), waitMs / parts)
  wait(parts)
}

/**
 * Resolves after a timer of no time has fired: later than whatever a few turns of the event loop bring.
 *
 * @returns A promise that is fulfilled then.
 */
export function pause(): Promise<void> {
  return new Promise((resolve) => void ownTimeout(resolve, 0))
}

/**
 * Calls back after one turn of the event loop.
 *
 * @param callback - What to call.
 */
export const nextTurn: NextTurn = findNextTurn()

/**
 * Calls back when no microtask is left to run: at the latest after one turn of the event loop.
 *
 * @param callback - What to call.
 */
export const afterMicrotasks: NextTurn = findAfterMicrotasks()

/**
 * Resolves when no microtask is left to run, see {@link afterMicrotasks}.
 *
 * @returns A promise that is fulfilled then.
 */
export function microtasksEnd(): Promise<void> {
  return new Promise(afterMicrotasks)
}

type NextTurn = (callback: () => void) => void

/** Only Node is known to run the callbacks of `nextTick` when the microtasks have ended; others may run them among these. */
function findAfterMicrotasks(): NextTurn {
  const { process } = globalThis as {
    process?: { versions?: Record<string, string>; nextTick?: (callback: () => void) => void }
  }
  const { versions, nextTick: tick } = process ?? {}
  const isNode = versions?.['node'] !== undefined && !versions['bun'] && !versions['deno'] && !isWorkers()
  return isNode && tick ? (callback) => tick(callback) : nextTurn
}

/**
 * Some edge runtimes have the functions of others and throw when one is called, so each is tried once. They are read
 * here, before a test can put fake timers in their place.
 */
function findNextTurn(): NextTurn {
  const { setImmediate: immediate, MessageChannel: Channel } = globalThis as {
    setImmediate?: (callback: () => void) => unknown
    MessageChannel?: typeof MessageChannel
  }
  const byImmediate: NextTurn = (callback) => void immediate?.(callback)
  const byMessage: NextTurn = (callback) => Channel && post(new Channel(), callback)
  for (const [known, candidate] of [
    [immediate, byImmediate],
    [Channel, byMessage],
  ] as const) {
    try {
      if (!known) continue
      candidate(() => undefined)
      return candidate
    } catch {
      // The next one, then.
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
