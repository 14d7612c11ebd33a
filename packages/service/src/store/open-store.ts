import { openPostgresStore } from './postgres-store.ts'
import { openSqliteStore } from './sqlite-store.ts'
import type { Store } from './store.ts'

/** The location of the database. */
export interface StoreOptions {
  /** A `postgres://` or `postgresql://` URL; without one, the embedded database is used. */
  readonly databaseUrl?: string | undefined
  /** The file of the embedded database, or `:memory:`. */
  readonly databaseFile: string
  /** The maximum number of connections to PostgreSQL. @default 10 */
  readonly maxConnections?: number
  /** Receives errors of idle connections to PostgreSQL. */
  readonly onIdleError?: (error: Error) => void
}

/**
 * Opens the database without reading or writing.
 *
 * @throws {TypeError} The URL is not a PostgreSQL URL.
 */
export function openStore({ databaseUrl, databaseFile, ...options }: StoreOptions): Store {
  if (databaseUrl === undefined || databaseUrl === '') return openSqliteStore(databaseFile)
  if (!/^postgres(ql)?:\/\//i.test(databaseUrl))
    throw new TypeError('DATABASE_URL must start with postgres:// or postgresql://. Omit it for the embedded database.')
  return openPostgresStore(databaseUrl, options)
}
