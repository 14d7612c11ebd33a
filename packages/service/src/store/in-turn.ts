import type { Store } from './store.ts'

/**
 * Returns a store all of whose transactions are serializable: work that reads rows and stores what follows from them
 * loses nothing of what others store meanwhile, without a lock that somebody has to think of.
 *
 * @param store - The store.
 */
export function inTurn(store: Store): Store {
  return { ...store, transaction: store.serializable }
}

/**
 * Returns a store whose single queries only read.
 *
 * @param store - The store.
 */
export function forReading(store: Store): Store {
  return { ...store, db: store.reads }
}
