/**
 * Resolves in the next macrotask, after pending microtasks.
 *
 * @returns A promise that is fulfilled then.
 */
export function turn(): Promise<void> {
  return new Promise(nextTurn)
}

/**
 * Calls back after one turn of the event loop.
 *
 * @param callback - What to call.
 */
export const nextTurn: NextTurn = findNextTurn()

type NextTurn = (callback: () => void) => void

/** Some edge runtimes have the functions of others and throw when one is called, so each is tried once. */
function findNextTurn(): NextTurn {
  for (const candidate of [byImmediate, byMessage]) {
    try {
      candidate(() => undefined)
      return candidate
    } catch {
      // The next one, then.
    }
  }
  return (callback) => void setTimeout(callback, 0)
}

function byImmediate(callback: () => void): void {
  const { setImmediate: immediate } = globalThis as { setImmediate?: (callback: () => void) => unknown }
  if (!immediate) throw new TypeError('There is no setImmediate.')
  immediate(callback)
}

function byMessage(callback: () => void): void {
  // Read like this, because builds for an edge runtime warn of the bare name.
  const { MessageChannel: Channel } = globalThis
  const { port1, port2 } = new Channel()
  port1.onmessage = () => {
    port1.close()
    callback()
  }
  port2.postMessage(null)
}
