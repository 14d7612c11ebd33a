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

/** 55000 is said of a connection to a database that takes none for now. */
const refusedCodes: ReadonlySet<string> = new Set([
  ...['ECONNREFUSED', 'ECONNRESET', 'ECONNABORTED', 'EPIPE', 'ETIMEDOUT', 'ENOENT', '55000'],
  ...['ENOTFOUND', 'EAI_AGAIN', 'EHOSTUNREACH', 'ENETUNREACH'],
])

/** How a PostgreSQL store is opened. */
export interface PostgresOptions {
  /** The most connections this process opens. @default 10 */
  readonly maxConnections?: number
  /** Receives the errors of idle connections; the pool replaces such a connection by itself. */
  readonly onIdleError?: (error: Error) => void
  /** How long it waits for a connection, and for the answer to a statement, in milliseconds. @default 30000 */
  readonly patienceMs?: number
}

const standardPatienceMs = 30_000
const standardConnections = 10
/** What changes tables takes as long as they are large, and what waits for its turn to do so as long as another does it. */
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

/** The driver is loaded at the first query: the embedded database needs none of it. */
async function createPool(url: string, options: PostgresOptions): Promise<Pool> {
  const { default: pg } = await import('pg')
  const pool = new pg.Pool({
    connectionString: url,
    max: options.maxConnections ?? standardConnections,
    // A server that hangs, or that a network has cut off without a word, must not hold requests for ever.
    connectionTimeoutMillis: options.patienceMs ?? standardPatienceMs,
    keepAlive: true,
    // Times and counts fit a number; the driver would return them as texts.
    types: {
      getTypeParser: ((oid: number, format: 'text' | 'binary') =>
        oid === int8 ? Number : pg.types.getTypeParser(oid, format)) as typeof pg.types.getTypeParser,
    },
  })
  // The driver attaches the whole connection, with what it takes to cancel its queries.
  pool.on('error', (error: Error & { client?: unknown }) => {
    delete error.client
    options.onIdleError?.(error)
  })
  return pool
}

/**
 * Refuses the same values as the embedded database, instead of altering them, and runs statements that have a name under
 * it. When another process has migrated a table since, PostgreSQL refuses the kept statement: it is then run as it is, and
 * the connection is given up with all it has kept.
 */
function checking(pool: Pool, patienceMs: number): PostgresPool {
  return {
    async connect() {
      const client = await pool.connect().catch((error: unknown) => {
        throw isOverload(error) || isRefused(error) ? new UnreachableStoreError(error) : error
      })
      // The pool hears the errors of connections that nobody uses. What breaks one in use fails its query, and is told
      // here too: without a listener it would end the process.
      let isBroken = false
      const onError = (): void => {
        isBroken = true
      }
      client.on('error', onError)
      let isStale = false
      const giveUp = (error: unknown): never => {
        // The answer may come yet, and would be taken for that of the next statement.
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
          // Inside of a transaction this fails too, and the whole transaction is run again.
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

/** Lists and booleans are stored as they are. */
function checkScalar(value: unknown): unknown {
  return typeof value === 'string' || typeof value === 'number' ? checkParameter(value) : value
}

/** The driver gives a connection that broke under a query no code. */
function throwFault(error: unknown): never {
  throw isRefused(error) ? new UnreachableStoreError(error) : error
}

/** No server listens there, or not yet; another password or name does not help itself. */
function isRefused(error: unknown): boolean {
  const { code, message } = error as { readonly code?: unknown; readonly message?: unknown }
  return (
    refusedCodes.has(String(code)) ||
    /^(connection terminated|timeout|client has encountered a connection error)/i.test(String(message)) ||
    isLate(error)
  )
}

/** The driver's word for an answer that did not come in time. */
function isLate(error: unknown): boolean {
  return (error as { readonly message?: unknown } | null)?.message === 'Query read timeout'
}

function isStalePlan(error: unknown): boolean {
  return (error as { readonly routine?: unknown } | null)?.routine === 'RevalidateCachedQuery'
}

function isTransient(error: unknown): boolean {
  return isStalePlan(error) || transientCodes.has(String((error as { readonly code?: unknown } | null)?.code))
}
