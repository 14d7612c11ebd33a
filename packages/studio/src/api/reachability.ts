/** Tracks whether the service responded to the last request. */
export interface Reachability {
  /** Returns whether the service responded to the last request. */
  isReachable(): boolean
  /** Records whether the service responded. */
  note(answered: boolean): void
  /** Calls a function on changes; returns a function that unsubscribes. */
  subscribe(listener: () => void): () => void
}

/** Creates a reachability tracker, which is initially true. */
export function createReachability(): Reachability {
  const listeners = new Set<() => void>()
  let reachable = true
  return {
    isReachable: () => reachable,
    note(answered) {
      if (answered === reachable) return
      reachable = answered
      for (const listener of listeners) listener()
    },
    subscribe(listener) {
      listeners.add(listener)
      return () => void listeners.delete(listener)
    },
  }
}

/** The reachability of the service. Every request updates it. */
export const reachability: Reachability = createReachability()
