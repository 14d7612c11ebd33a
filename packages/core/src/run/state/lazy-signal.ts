/** An abort signal that is only created when it is read. */
export interface LazySignal {
  /** Created at the first read. */
  controller: AbortController | undefined
  /** Why it was aborted; `undefined` while it was not. */
  reason: Error | undefined
}

/** Creates the signal of one call. */
export function createLazySignal(): LazySignal {
  return { controller: undefined, reason: undefined }
}

/**
 * Returns the signal, aborted or not.
 *
 * @param lazy - The signal of a call.
 */
export function readSignal(lazy: LazySignal): AbortSignal {
  lazy.controller ??= new AbortController()
  if (lazy.reason && !lazy.controller.signal.aborted) lazy.controller.abort(lazy.reason)
  return lazy.controller.signal
}

/**
 * Aborts the signal, now or when it is read.
 *
 * @param lazy - The signal of a call.
 * @param reason - Why.
 */
export function abortSignal(lazy: LazySignal, reason: Error): void {
  lazy.reason = reason
  lazy.controller?.abort(reason)
}
