/** An abort signal that costs nothing until somebody reads it. */
export interface LazySignal {
  /** The signal; made at the first read. */
  readonly signal: AbortSignal
  /** Aborts it, now or when it is made. */
  abort(reason: Error): void
}

/** Makes the signal of one call. */
export function createLazySignal(): LazySignal {
  let controller: AbortController | undefined
  let aborted: Error | undefined
  return {
    get signal() {
      controller ??= new AbortController()
      if (aborted && !controller.signal.aborted) controller.abort(aborted)
      return controller.signal
    },
    abort(reason) {
      aborted = reason
      controller?.abort(reason)
    },
  }
}
