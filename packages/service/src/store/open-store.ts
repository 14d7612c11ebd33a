import { openPostgresStore } from './postgres-store.ts'
import { openSqliteStore } from './sqlite-store.ts'
import type { Store } from './store.ts'

/** Where the database is. */
export interface StoreOptions {
  /** A `postgres://` or `postgresql://` address; the embedded database is used without one. */
  readonly databaseUrl?: string | undefined
  /** File of the embedded database, or `:memory:`. */
  readonly databaseFile: string
  /** The most connections to PostgreSQL. @default 10 */
  readonly maxConnections?: number
  /** Receives the errors of idle connections to PostgreSQL. */
  readonly onIdleError?: (error: Error) => void
}

/**
 * Opens the database; nothing is read or written yet.
 *
 * @throws {TypeError} When the address is not one of PostgreSQL.
 */
export function openStore({ databaseUrl, databaseFile, ...options }: StoreOptions): Store {
  if (databaseUrl === undefined || databaseUrl === '') return openSqliteStore(databaseFile)
  if (!/^postgres(ql)?:\/\//i.test(databaseUrl))
    throw new TypeError(
      'DATABASE_URL must begin with postgres:// or postgresql://; leave it out for the embedded database.',
    )
  return openPostgresStore(databaseUrl, options)
}
