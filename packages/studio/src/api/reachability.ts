/** Whether the service answered last, and who wants to know. */
export interface Reachability {
  /** Returns whether it answered last. */
  isReachable(): boolean
  /** Notes whether it answered. */
  note(answered: boolean): void
  /** Calls a function when that changes; returns what ends it. */
  subscribe(listener: () => void): () => void
}

/** Creates what knows whether the service answers; at first it does. */
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

/** The service that this page came from. Every request notes here whether it was answered. */
export const reachability: Reachability = createReachability()
