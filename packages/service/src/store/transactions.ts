import { AsyncLocalStorage } from 'node:async_hooks'
import type { Session, Store } from './store.ts'

const attempts = 6

/** The part of a store that runs transactions. */
export type Transactions = Pick<Store, 'transaction' | 'afterCommit'>

const inside = new AsyncLocalStorage<Session>()

/** Returns whether the calling code runs inside a transaction of this session. */
export function isInTransaction(db: Session): boolean {
  return inside.getStore() === db
}

/**
 * Creates the part of a store that runs transactions.
 *
 * @param db - The session of the whole database.
 * @param isTransient - Whether an error goes away when the transaction is run again, such as a deadlock.
 */
export function createTransactions(db: Session, isTransient: (error: unknown) => boolean): Transactions {
  const callbacks = new WeakMap<Session, (() => void)[]>()

  async function attempt<T>(work: (tx: Session) => Promise<T>): Promise<T> {
    const waiting: (() => void)[] = []
    const result = await db.transaction().execute((tx) => {
      callbacks.set(tx, waiting)
      return inside.run(db, () => work(tx))
    })
    for (const callback of waiting) callback()
    return result
  }

  return {
    async transaction(work) {
      for (let count = 1; ; count++) {
        try {
          return await attempt(work)
        } catch (error) {
          if (count === attempts || !isTransient(error)) throw error
        }
      }
    },
    afterCommit(tx, callback) {
      const waiting = callbacks.get(tx)
      if (waiting) waiting.push(callback)
      else callback()
    },
  }
}
