import {
  CompiledQuery,
  type DatabaseConnection,
  type Dialect,
  type Driver,
  type QueryResult,
  SqliteAdapter,
  SqliteIntrospector,
  SqliteQueryCompiler,
} from 'kysely'
import type Database from 'libsql'
import { checkParameter } from './check-parameter.ts'
import { errorCode } from './faults/error-code.ts'

const keptStatements = 500
/** Queries block the thread, so after this time, pending requests and timers run before the next query. */
const longestStretchMs = 10
const busyLimitMs = 10_000
const longestPauseMs = 20

export interface OpenDatabase {
  readonly database: Database.Database
  /** Throws if the database file no longer exists. */
  readonly guard: () => void
  readonly close: () => void
}

/**
 * Creates the Kysely dialect for an embedded database. It has one connection, which queries and transactions use in
 * turn. A transaction takes the write lock when it starts, so that it never has to be aborted halfway.
 *
 * @param open - Opens the database at the first query, and returns it with a check that its file still exists.
 * @param mayQuery - Whether a query outside a transaction may wait; false inside a transaction, where it would wait
 * forever.
 */
export function createSqliteDialect(open: () => OpenDatabase, mayQuery: () => boolean): Dialect {
  return {
    createAdapter: () => new SqliteAdapter(),
    createIntrospector: (db) => new SqliteIntrospector(db),
    createQueryCompiler: () => new SqliteQueryCompiler(),
    createDriver: () => createDriver(open, mayQuery),
  }
}

function createDriver(open: () => OpenDatabase, mayQuery: () => boolean): Driver {
  let opened: OpenDatabase | undefined
  let connection: DatabaseConnection | undefined
  let turn: Promise<void> = Promise.resolve()
  let endTurn: () => void = () => undefined
  let breathedAtMs = 0
  /** Applies within a transaction too, because a transaction for many runs takes a long time. */
  function breathe(): Promise<void> | undefined {
    if (performance.now() - breathedAtMs <= longestStretchMs) return undefined
    return new Promise<void>(setImmediate).then(() => {
      breathedAtMs = performance.now()
    })
  }
  const run = (sql: string) => (held: DatabaseConnection) => held.executeQuery(CompiledQuery.raw(sql)).then(() => {})

  return {
    async init() {
      opened = open()
      connection = createConnection(opened.database, breathe)
    },
    async acquireConnection() {
      if (!connection) throw new Error('The database is not open.')
      if (!mayQuery())
        throw new Error('A query was made outside the current transaction. Use the session of the transaction.')
      const before = turn
      let end: () => void = () => undefined
      turn = new Promise((resolve) => {
        end = resolve
      })
      await before
      endTurn = end
      const pause = breathe()
      if (pause) await pause
      try {
        opened?.guard()
      } catch (error) {
        end()
        throw error
      }
      return connection
    },
    async releaseConnection() {
      endTurn()
    },
    beginTransaction: run('begin immediate'),
    commitTransaction: run('commit'),
    async rollbackTransaction(held) {
      // After some errors, such as a full disk, SQLite has already rolled back; the original error is the one to
      // report.
      if (opened?.database.inTransaction) await run('rollback')(held)
    },
    async destroy() {
      await turn
      connection = undefined
      opened?.close()
    },
  }
}

function createConnection(database: Database.Database, breathe: () => Promise<void> | undefined): DatabaseConnection {
  const statements = new Map<string, Database.Statement>()

  const prepare = (sql: string): Database.Statement => {
    const kept = statements.get(sql)
    if (kept) return kept
    const statement = database.prepare(sql)
    const oldest = statements.keys().next().value
    if (statements.size >= keptStatements && oldest !== undefined) statements.delete(oldest)
    statements.set(sql, statement)
    return statement
  }

  return {
    async executeQuery<R>({ sql, parameters }: CompiledQuery): Promise<QueryResult<R>> {
      const checked = parameters.map(checkParameter)
      const pause = breathe()
      if (pause) await pause
      return whenFree(() => {
        const statement = prepare(sql)
        if (statement.reader) return { rows: statement.all(checked) as R[] }
        const { changes } = statement.run(checked)
        return { rows: [], numAffectedRows: BigInt(changes) }
      })
    },
    // biome-ignore lint/correctness/useYield: streams are not offered
    async *streamQuery() {
      throw new Error('The embedded database does not stream rows.')
    },
  }
}

/** Retries a query while another process is writing. SQLite could wait itself, but it would block this process. */
async function whenFree<T>(query: () => T): Promise<T> {
  const endMs = performance.now() + busyLimitMs
  for (let pauseMs = 1; ; pauseMs = Math.min(pauseMs * 2, longestPauseMs)) {
    try {
      return query()
    } catch (error) {
      if (!errorCode(error).startsWith('SQLITE_BUSY') || performance.now() > endMs) throw error
      await new Promise((resolve) => setTimeout(resolve, pauseMs))
    }
  }
}
