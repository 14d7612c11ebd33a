const callbacks = new WeakMap<AbortSignal, Set<() => void>>()

/**
 * Calls back once when a signal aborts; in a microtask if it has already aborted, so never before this returns. A
 * signal gets one listener for any number of calls, so that Node never warns of a leak.
 *
 * @param signal - The signal; absent, nothing is ever called.
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
