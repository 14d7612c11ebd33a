import { Kysely, PostgresDialect, type PostgresPool } from 'kysely'
import type { Pool } from 'pg'
import { checkParameter } from './check-parameter.ts'
import { isOverload, UnreachableStoreError } from './faults/is-overload.ts'
import { isUniqueViolation } from './faults/unique-violation.ts'
import { statementName } from './prepared.ts'
import type { Tables } from './schema/tables.ts'
import type { PoolState, Session, Store } from './store.ts'
import { createTransactions } from './transactions.ts'

const int8 = 20
const transientCodes: ReadonlySet<string> = new Set(['40001', '40P01'])

/**
 * PostgreSQL's code 55000 is included, because it is returned for a database that temporarily accepts no connections.
 */
const refusedCodes: ReadonlySet<string> = new Set([
  ...['ECONNREFUSED', 'ECONNRESET', 'ECONNABORTED', 'EPIPE', 'ETIMEDOUT', 'ENOENT', '55000'],
  ...['ENOTFOUND', 'EAI_AGAIN', 'EHOSTUNREACH', 'ENETUNREACH'],
])

/** Options of a PostgreSQL store. */
export interface PostgresOptions {
  /** The maximum number of connections of this process. @default 10 */
  readonly maxConnections?: number
  /** Receives errors of idle connections. The pool replaces such connections. */
  readonly onIdleError?: (error: Error) => void
  /** The timeout for getting a connection, and for the reply to a statement, in milliseconds. @default 30000 */
  readonly patienceMs?: number
}

const standardPatienceMs = 30_000
const standardConnections = 10
/**
 * Changes of tables have no timeout, because they take longer for large tables, and may wait for another process that
 * changes them.
 */
const unhurried = /^\s*(create|alter|drop|lock)\s|pg_advisory_/i

/**
 * Opens a store in PostgreSQL 15 or later.
 *
 * @param url - Such as `postgres://user:password@host:5432/database`.
 */
export function openPostgresStore(url: string, options: PostgresOptions = {}): Store {
  let pool: Pool | undefined
  const db: Session = new Kysely<Tables>({
    dialect: new PostgresDialect({
      pool: async () => {
        pool = await createPool(url, options)
        return checking(pool, options.patienceMs ?? standardPatienceMs)
      },
    }),
  })
  const transactions = createTransactions(db, { isTransient, isRace: isUniqueViolation, hasLevels: true })
  const poolState = (): PoolState => {
    const { totalCount = 0, idleCount = 0, waitingCount = 0 } = pool ?? {}
    const max = options.maxConnections ?? standardConnections
    return { used: totalCount - idleCount, idle: idleCount, waiting: waitingCount, max }
  }
  return {
    driver: 'postgres',
    databaseUrl: url,
    db,
    reads: db,
    ...transactions,
    pool: poolState,
    close: () => db.destroy(),
  }
}

/** The driver is loaded at the first query, because the embedded database does not need it. */
async function createPool(url: string, options: PostgresOptions): Promise<Pool> {
  const { default: pg } = await import('pg')
  const pool = new pg.Pool({
    connectionString: url,
    max: options.maxConnections ?? standardConnections,
    // A server that hangs, or a connection that the network dropped silently, must not block requests forever.
    connectionTimeoutMillis: options.patienceMs ?? standardPatienceMs,
    keepAlive: true,
    // Times and counts fit into a number; the driver would return strings.
    types: {
      getTypeParser: ((oid: number, format: 'text' | 'binary') =>
        oid === int8 ? Number : pg.types.getTypeParser(oid, format)) as typeof pg.types.getTypeParser,
    },
  })
  // The driver attaches the connection, including the secret that cancels its queries.
  pool.on('error', (error: Error & { client?: unknown }) => {
    delete error.client
    options.onIdleError?.(error)
  })
  return pool
}

/**
 * Rejects the same values as the embedded database, and runs named statements as prepared statements. After another
 * process has migrated a table, PostgreSQL rejects the prepared statement. It then runs unprepared, and the connection
 * is closed together with its prepared statements.
 */
function checking(pool: Pool, patienceMs: number): PostgresPool {
  return {
    async connect() {
      const client = await pool.connect().catch((error: unknown) => {
        throw isOverload(error) || isRefused(error) ? new UnreachableStoreError(error) : error
      })
      // The pool handles errors of idle connections. An error of a connection in use rejects its query, and is emitted
      // as an event too. Without a listener, it would end the process.
      let isBroken = false
      const onError = (): void => {
        isBroken = true
      }
      client.on('error', onError)
      let isStale = false
      const giveUp = (error: unknown): never => {
        // The reply may still arrive, and would be taken for the reply to the next statement.
        isBroken ||= isLate(error)
        return throwFault(error)
      }
      const query = async (text: string, values: unknown[]) => {
        const name = statementName(text)
        const timed = { text, values, ...(unhurried.test(text) ? {} : { query_timeout: patienceMs }) }
        if (name === undefined) return client.query(timed).catch(giveUp)
        try {
          return await client.query({ ...timed, name })
        } catch (error) {
          if (!isStalePlan(error)) return giveUp(error)
          isStale = true
          // In a transaction this fails again, and the whole transaction is retried.
          return await client.query(timed).catch(() => {
            throw error
          })
        }
      }
      return {
        query: (sql: unknown, parameters: readonly unknown[] = []) =>
          query(String(sql), parameters.map(checkScalar)) as never,
        release: () => {
          client.removeListener('error', onError)
          client.release(isStale || isBroken)
        },
      }
    },
    end: () => pool.end(),
  }
}

/** Lists and booleans are passed unchanged. */
function checkScalar(value: unknown): unknown {
  return typeof value === 'string' || typeof value === 'number' ? checkParameter(value) : value
}

/** The driver's errors for connections that broke during a query have no code. */
function throwFault(error: unknown): never {
  throw isRefused(error) ? new UnreachableStoreError(error) : error
}

/** No server listens there, possibly only temporarily. A wrong password or name would not fix itself. */
function isRefused(error: unknown): boolean {
  const { code, message } = error as { readonly code?: unknown; readonly message?: unknown }
  return (
    refusedCodes.has(String(code)) ||
    /^(connection terminated|timeout|client has encountered a connection error)/i.test(String(message)) ||
    isLate(error)
  )
}

/** The driver's message if a reply does not arrive in time. */
function isLate(error: unknown): boolean {
  return (error as { readonly message?: unknown } | null)?.message === 'Query read timeout'
}

function isStalePlan(error: unknown): boolean {
  return (error as { readonly routine?: unknown } | null)?.routine === 'RevalidateCachedQuery'
}

function isTransient(error: unknown): boolean {
  return isStalePlan(error) || transientCodes.has(String((error as { readonly code?: unknown } | null)?.code))
}
