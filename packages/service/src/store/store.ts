import type { Kysely } from 'kysely'
import type { Tables } from './schema/tables.ts'

/** Where queries run: the store itself, or one transaction of it. */
export type Session = Kysely<Tables>

/** The names of the drivers. */
export type StoreDriver = 'sqlite' | 'postgres'

/** How the connections of this process to PostgreSQL are used. */
export interface PoolState {
  /** In use now. */
  readonly used: number
  /** Open and not in use. */
  readonly idle: number
  /** Queries that wait for one. */
  readonly waiting: number
  /** The most that are opened. */
  readonly max: number
}

/** The database behind one port: embedded SQLite or PostgreSQL, with the same tables and the same meaning. */
export interface Store {
  /** Returns how its connections are used; absent for the embedded database. */
  pool?(): PoolState
  /** Which database it is. */
  readonly driver: StoreDriver
  /** Its address, for connections apart from those it has; absent for the embedded database. */
  readonly databaseUrl?: string
  /** Runs single queries. Inside a transaction use its own session: this one throws there. */
  readonly db: Session
  /**
   * Runs single queries that only read and may go through many rows, as lists, searches and counts do: what is stored is seen
   * at once. In the embedded database they run in threads of their own.
   */
  readonly reads: Session
  /**
   * Runs work in one transaction: all of it is stored, or, when it rejects, none of it.
   * Do nothing slow in it (no calls over the network), and nothing that cannot be repeated: it may run several times,
   * where the database reports a deadlock.
   * Others may change what it has read while it runs: lock a row (by an update) before computing what it becomes.
   *
   * @param work - Gets the session of the transaction.
   */
  transaction<T>(work: (tx: Session) => Promise<T>): Promise<T>
  /**
   * Like `transaction`, and such transactions come out as if they ran one after another: what the work has read still
   * holds when it is stored, also that there is no such row. On PostgreSQL the work is run again where another transaction
   * has come between, so this is for what people and callers of the API change, not for what thousands of runs write.
   *
   * @param work - Gets the session of the transaction.
   */
  serializable<T>(work: (tx: Session) => Promise<T>): Promise<T>
  /**
   * Like `serializable`, but only of the rows that the work writes: they are stored as what has been read of them says. For
   * rows of which there are so many, subscribers and messages, that different ones are written at the same time all the
   * time, and where a change follows from the row itself: not for rules about several rows, or rows that must not be there.
   *
   * @param work - Gets the session of the transaction.
   */
  repeatable<T>(work: (tx: Session) => Promise<T>): Promise<T>
  /**
   * Runs a function once a transaction is stored; never if it is not.
   *
   * @param tx - The session of the transaction. For `db` the function runs at once.
   */
  afterCommit(tx: Session, callback: () => void): void
  /** Waits for running queries and closes the database. */
  close(): Promise<void>
}
