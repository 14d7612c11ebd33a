import { createListeners } from '../../base/listeners.ts'

/** A failed change, and the function that retries it. */
export interface Failure {
  readonly error: unknown
  retry(): void
}

/** Keeps the latest failed change. */
export interface Failures {
  subscribe(listener: () => void): () => void
  getSnapshot(): Failure | undefined
  /** Runs a change, and keeps its failure until it is dismissed or another change runs. */
  run(change: () => Promise<unknown>): void
  dismiss(): void
}

/** Creates a store of failed changes. */
export function createFailures(): Failures {
  const listeners = createListeners<void>()
  let failure: Failure | undefined
  const set = (next: Failure | undefined): void => {
    if (failure === next) return
    failure = next
    listeners.emit()
  }
  const run = (change: () => Promise<unknown>): void => {
    set(undefined)
    change().catch((error: unknown) => set({ error, retry: () => run(change) }))
  }
  return {
    subscribe: (listener) => listeners.add(listener),
    getSnapshot: () => failure,
    run,
    dismiss: () => set(undefined),
  }
}
