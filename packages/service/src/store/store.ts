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
  /** The database URL, for connections outside the pool; absent for the embedded database. */
  readonly databaseUrl?: string
  /** Runs single queries. Throws inside a transaction: use the transaction's session there. */
  readonly db: Session
  /**
   * Runs single read-only queries that may read many rows, such as lists, searches and counts. Committed changes are
   * visible at once. The embedded database runs them in separate threads.
   */
  readonly reads: Session
  /**
   * Runs a function in one transaction. If it rejects, everything is rolled back. Do not do slow work in it, such as
   * network calls, or work with other side effects: it is retried if the database reports a deadlock. Other
   * transactions can change rows that it has read, so lock a row (by an update) before computing its new value.
   *
   * @param work - Receives the transaction's session.
   */
  transaction<T>(work: (tx: Session) => Promise<T>): Promise<T>
  /**
   * Like `transaction`, but serializable: everything the function has read, including missing rows, still holds at the
   * commit. On PostgreSQL the function is retried after a conflict, so use this for changes by API callers, not for
   * writes of thousands of runs.
   *
   * @param work - Receives the session of the transaction.
   */
  serializable<T>(work: (tx: Session) => Promise<T>): Promise<T>
  /**
   * Like `serializable`, but only for the rows that the function writes. For large tables, such as subscribers and
   * messages, whose rows are constantly written concurrently, and for changes that depend only on the row itself. Do
   * not use it to enforce rules about several rows or missing rows.
   *
   * @param work - Receives the session of the transaction.
   */
  repeatable<T>(work: (tx: Session) => Promise<T>): Promise<T>
  /**
   * Runs a function after a transaction commits; never if it rolls back.
   *
   * @param tx - The transaction's session. With `db`, the function runs immediately.
   */
  afterCommit(tx: Session, callback: () => void): void
  /** Waits for running queries and closes the database. */
  close(): Promise<void>
}
