import type { Store } from './store.ts'

/**
 * Returns a store with serializable transactions only, so that read-modify-write work loses no concurrent changes,
 * without explicit locks.
 */
export function inTurn(store: Store): Store {
  return { ...store, transaction: store.serializable }
}

/** Returns a store whose single queries only read. */
export function forReading(store: Store): Store {
  return { ...store, db: store.reads }
}
