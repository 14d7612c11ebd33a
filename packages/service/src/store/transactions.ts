import { AsyncLocalStorage } from 'node:async_hooks'
import type { IsolationLevel } from 'kysely'
import { openLate, writeLate } from './late-rows.ts'
import type { Session, Store } from './store.ts'

const attempts = 6
/** The maximum number of attempts. Failed transactions continue one at a time, so more attempts are not needed. */
const levelAttempts = 40
/** The number of attempts before a transaction joins the queue of failed transactions. */
const freeAttempts = 2
/** The number of attempts before new transactions must also wait. */
const politeAttempts = 5
const longestPauseMs = 60

/** The part of a store that runs transactions. */
export type Transactions = Pick<Store, 'transaction' | 'serializable' | 'repeatable' | 'afterCommit'>

/** Driver-specific transaction options. */
export interface TransactionOptions {
  /** Whether an error is temporary, such as a deadlock. */
  readonly isTransient: (error: unknown) => boolean
  /**
   * Whether a retry at a higher isolation level could avoid the error, such as a unique row that another transaction
   * has stored since.
   */
  readonly isRace: (error: unknown) => boolean
  /** Whether the database has isolation levels: it runs transactions concurrently and rejects conflicts. */
  readonly hasLevels: boolean
}

/** After-commit functions by session. */
const callbacks = new WeakMap<Session, (() => void)[]>()

const inside = new AsyncLocalStorage<Session>()

/** Returns whether the calling code runs inside a transaction of this session. */
export function isInTransaction(db: Session): boolean {
  return inside.getStore() === db
}

/**
 * Creates the part of a store that runs transactions.
 *
 * @param db - The session for the whole database.
 * @param options - Driver-specific options.
 */
export function createTransactions(db: Session, options: TransactionOptions): Transactions {
  const takeTurn = createTurns()
  let gate: Promise<unknown> = Promise.resolve()

  async function attempt<T>(work: (tx: Session) => Promise<T>, level?: IsolationLevel): Promise<T> {
    const waiting: (() => void)[] = []
    const begun = db.transaction()
    const result = await (level ? begun.setIsolationLevel(level) : begun).execute((tx) => {
      callbacks.set(tx, waiting)
      openLate(tx)
      const run = async (): Promise<T> => {
        const done = await work(tx)
        await writeLate(tx)
        return done
      }
      // From then on, Node tracks every promise in the process, which increases processor time by a tenth.
      return options.hasLevels ? run() : inside.run(db, run)
    })
    for (const callback of waiting) callback()
    return result
  }

  const transaction: Transactions['transaction'] = (work) =>
    repeat(
      () => attempt(work),
      (error, count) => count < attempts && options.isTransient(error),
    )

  function atLevel(level: IsolationLevel): Transactions['transaction'] {
    if (!options.hasLevels) return transaction
    return (work) => {
      let races = 0
      // The second attempt finds the row; a repeated failure means that the value is taken.
      const isAgain = (error: unknown, count: number): boolean =>
        count < levelAttempts && (options.isTransient(error) || (options.isRace(error) && ++races === 1))
      return repeat(async (count) => {
        if (count <= freeAttempts) {
          await gate
          return attempt(work, level)
        }
        const turn = takeTurn(() => attempt(work, level))
        if (count > politeAttempts) gate = turn.catch(() => undefined)
        return turn
      }, isAgain)
    }
  }

  return {
    transaction,
    serializable: atLevel('serializable'),
    repeatable: atLevel('repeatable read'),
    afterCommit,
  }
}

/** Runs a function after a commit; see {@link Store.afterCommit}. */
export function afterCommit(tx: Session, callback: () => void): void {
  const waiting = callbacks.get(tx)
  if (waiting) waiting.push(callback)
  else callback()
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
      // Transactions that conflicted must not conflict again when they are retried.
      const pauseMs = Math.random() * Math.min(2 ** count, longestPauseMs)
      await new Promise((resolve) => setTimeout(resolve, pauseMs))
    }
  }
}

/** Runs functions one after another. */
function createTurns(): <T>(work: () => Promise<T>) => Promise<T> {
  let last: Promise<unknown> = Promise.resolve()
  return (work) => {
    const turn = last.then(work)
    last = turn.catch(() => undefined)
    return turn
  }
}
