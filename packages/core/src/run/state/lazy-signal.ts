/** An abort signal that is only created when it is read. */
export interface LazySignal {
  /** Created when the signal is first read. */
  controller: AbortController | undefined
  /** The abort reason; `undefined` until the signal is aborted. */
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
 * Aborts the signal, either now or as soon as it is read.
 *
 * @param lazy - The signal of a call.
 * @param reason - The abort reason.
 */
export function abortSignal(lazy: LazySignal, reason: Error): void {
  lazy.reason = reason
  lazy.controller?.abort(reason)
}
