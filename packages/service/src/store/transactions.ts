import { AsyncLocalStorage } from 'node:async_hooks'
import type { Session, Store } from './store.ts'

const attempts = 6
/** Of serializable ones: those that ran into others go on one after another, so that so many are not needed. */
const serializableAttempts = 40
/** So often a serializable transaction is run before it takes its turn with those that failed too. */
const freeAttempts = 2
const longestPauseMs = 60

/** The part of a store that runs transactions. */
export type Transactions = Pick<Store, 'transaction' | 'serializable' | 'afterCommit'>

/** What transactions of a database need. */
export interface TransactionOptions {
  /** Whether an error goes away when the transaction is run again, such as a deadlock. */
  readonly isTransient: (error: unknown) => boolean
  /**
   * Whether an error of a serializable transaction may go away when it is run again: a row with the same unique value,
   * which another one has stored since this one looked for it.
   */
  readonly isRace: (error: unknown) => boolean
  /** Whether the database runs transactions side by side, and tells of those that must not. */
  readonly hasLevels: boolean
}

const inside = new AsyncLocalStorage<Session>()

/** Returns whether the calling code runs inside a transaction of this session. */
export function isInTransaction(db: Session): boolean {
  return inside.getStore() === db
}

/**
 * Creates the part of a store that runs transactions.
 *
 * @param db - The session of the whole database.
 * @param options - What the database needs.
 */
export function createTransactions(db: Session, options: TransactionOptions): Transactions {
  const callbacks = new WeakMap<Session, (() => void)[]>()
  const takeTurn = createTurns()

  async function attempt<T>(work: (tx: Session) => Promise<T>, isSerializable: boolean): Promise<T> {
    const waiting: (() => void)[] = []
    const begun = db.transaction()
    const leveled = isSerializable && options.hasLevels ? begun.setIsolationLevel('serializable') : begun
    const result = await leveled.execute((tx) => {
      callbacks.set(tx, waiting)
      return inside.run(db, () => work(tx))
    })
    for (const callback of waiting) callback()
    return result
  }

  return {
    transaction: (work) =>
      repeat(
        () => attempt(work, false),
        (error, count) => count < attempts && options.isTransient(error),
      ),
    serializable(work) {
      let races = 0
      const isAgain = (error: unknown, count: number): boolean =>
        count < serializableAttempts &&
        // The second attempt finds the row; what fails then too is a value that is taken.
        (options.isTransient(error) || (options.hasLevels && options.isRace(error) && ++races === 1))
      return repeat(
        (count) => (count > freeAttempts ? takeTurn(() => attempt(work, true)) : attempt(work, true)),
        isAgain,
      )
    },
    afterCommit(tx, callback) {
      const waiting = callbacks.get(tx)
      if (waiting) waiting.push(callback)
      else callback()
    },
  }
}

async function repeat<T>(
  run: (count: number) => Promise<T>,
  isAgain: (error: unknown, count: number) => boolean,
): Promise<T> {
  for (let count = 1; ; count++) {
    try {
      return await run(count)
    } catch (error) {
      if (!isAgain(error, count)) throw error
      // Those that ran into one another must not do so again.
      const pauseMs = Math.random() * Math.min(2 ** count, longestPauseMs)
      await new Promise((resolve) => setTimeout(resolve, pauseMs))
    }
  }
}

/** Runs work one after another. */
function createTurns(): <T>(work: () => Promise<T>) => Promise<T> {
  let last: Promise<unknown> = Promise.resolve()
  return (work) => {
    const turn = last.then(work)
    last = turn.catch(() => undefined)
    return turn
  }
}
