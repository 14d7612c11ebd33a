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
export const nextTurn: (callback: () => void) => void = findNextTurn()

function findNextTurn(): (callback: () => void) => void {
  const { setImmediate: immediate } = globalThis as { setImmediate?: (callback: () => void) => unknown }
  if (immediate) return (callback) => void immediate(callback)
  if (typeof MessageChannel === 'function')
    return (callback) => {
      const { port1, port2 } = new MessageChannel()
      port1.onmessage = () => {
        port1.close()
        callback()
      }
      port2.postMessage(null)
    }
  return (callback) => void setTimeout(callback, 0)
}
