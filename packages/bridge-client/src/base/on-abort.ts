const callbacks = new WeakMap<AbortSignal, Set<() => void>>()

/**
 * Calls back once when a signal aborts; if it has already aborted, in a microtask, so never before this function
 * returns. All calls with a signal share one listener, so that Node does not warn about a leak.
 *
 * @param signal - The signal; if absent, the callback is never called.
 * @returns A function that cancels the callback.
 */
export function onAbort(signal: AbortSignal | undefined, callback: () => void): () => void {
  if (signal === undefined) return () => {}
  if (signal.aborted) {
    let isCancelled = false
    queueMicrotask(() => isCancelled || callback())
    return () => {
      isCancelled = true
    }
  }
  const entry = (): void => callback()
  const waiting = callbacks.get(signal) ?? listen(signal)
  waiting.add(entry)
  return () => waiting.delete(entry)
}

function listen(signal: AbortSignal): Set<() => void> {
  const waiting = new Set<() => void>()
  callbacks.set(signal, waiting)
  const onEvent = (): void => {
    for (const entry of [...waiting]) if (waiting.delete(entry)) entry()
  }
  signal.addEventListener('abort', onEvent, { once: true })
  return waiting
}
