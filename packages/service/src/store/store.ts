import type { Kysely } from 'kysely'
import type { Tables } from './schema/tables.ts'

/** Runs queries: the store itself, or one of its transactions. */
export type Session = Kysely<Tables>

/** The names of the drivers. */
export type StoreDriver = 'sqlite' | 'postgres'

/** How this process uses its connections to PostgreSQL. */
export interface PoolState {
  /** Connections in use. */
  readonly used: number
  /** Open and idle connections. */
  readonly idle: number
  /** Queries waiting for a connection. */
  readonly waiting: number
  /** The maximum number of connections. */
  readonly max: number
}

/** The database interface: embedded SQLite or PostgreSQL, with the same tables and behavior. */
export interface Store {
  /** Returns its connection usage; absent for the embedded database. */
  pool?(): PoolState
  /** The database driver. */
  readonly driver: StoreDriver
  /** Its address, for connections apart from those it has; absent for the embedded database. */
  readonly databaseUrl?: string
  /** Runs single queries. Inside a transaction use its own session: this one throws there. */
  readonly db: Session
  /**
   * Runs single read-only queries that may read many rows, such as lists, searches and counts. Committed changes are
   * visible at once. The embedded database runs them in separate threads.
   */
  readonly reads: Session
  /**
   * Runs work in one transaction. If it rejects, everything is rolled back. Do not do slow work in it, such as network
   * calls, or work that cannot be repeated: it is retried if the database reports a deadlock. Other transactions may
   * change rows it has read: lock a row (by an update) before computing its new value.
   *
   * @param work - Receives the session of the transaction.
   */
  transaction<T>(work: (tx: Session) => Promise<T>): Promise<T>
  /**
   * Like `transaction`, but serializable: everything the work has read, including missing rows, still holds at the
   * commit. On PostgreSQL the work is retried after a conflict, so use this for changes by API callers, not for writes
   * of thousands of runs.
   *
   * @param work - Receives the session of the transaction.
   */
  serializable<T>(work: (tx: Session) => Promise<T>): Promise<T>
  /**
   * Like `serializable`, but only for the rows that the work writes. For numerous rows, such as subscribers and
   * messages, of which different ones are written concurrently all the time, and for changes that follow from the row
   * itself. Not for rules about several rows or missing rows.
   *
   * @param work - Receives the session of the transaction.
   */
  repeatable<T>(work: (tx: Session) => Promise<T>): Promise<T>
  /**
   * Runs a function after a transaction commits; never if it rolls back.
   *
   * @param tx - The session of the transaction. With `db`, the function runs at once.
   */
  afterCommit(tx: Session, callback: () => void): void
  /** Waits for running queries and closes the database. */
  close(): Promise<void>
}
