const waiting = new WeakMap<AbortSignal, Set<() => void>>()

/**
 * Calls back once when a signal aborts. All callbacks of a signal share one listener, so that many calls with one
 * signal do not cause a leak warning.
 *
 * @param signal - A signal that has not aborted yet.
 * @param callback - Called when it does; it must not throw.
 */
export function onAbort(signal: AbortSignal, callback: () => void): () => void {
  const callbacks = waiting.get(signal) ?? new Set()
  if (!waiting.has(signal)) {
    waiting.set(signal, callbacks)
    signal.addEventListener('abort', () => callAll(callbacks), { once: true })
  }
  callbacks.add(callback)
  return () => {
    callbacks.delete(callback)
  }
}

function callAll(callbacks: Set<() => void>): void {
  for (const callback of callbacks) callback()
  callbacks.clear()
}
