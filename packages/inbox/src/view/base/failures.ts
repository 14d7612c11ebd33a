import { createListeners } from '../../base/listeners.ts'

/** A change that failed, and how to repeat it. */
export interface Failure {
  readonly error: unknown
  retry(): void
}

/** The latest change that failed. */
export interface Failures {
  subscribe(listener: () => void): () => void
  getSnapshot(): Failure | undefined
  /** Runs a change, and keeps its failure until it is dismissed or another change is run. */
  run(change: () => Promise<unknown>): void
  dismiss(): void
}

/** Creates the place where failed changes are kept. */
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
