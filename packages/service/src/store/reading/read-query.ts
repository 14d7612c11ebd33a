import Database from 'libsql'

/** A query for the thread that reads. */
export interface ReadQuery {
  /** Distinguishes it from the others of the thread. */
  readonly id: number
  /** The statement. */
  readonly sql: string
  /** Its parameters. */
  readonly parameters: readonly unknown[]
}

/** The answer of the thread: the rows, or what was thrown. */
export interface ReadAnswer {
  /** The query's. */
  readonly id: number
  /** The rows. */
  readonly rows?: readonly unknown[]
  /** What was thrown. */
  readonly fault?: { readonly message: string; readonly code: unknown }
}

const keptStatements = 200

/**
 * Opens a database only to read, and returns what answers queries.
 *
 * @param file - Its path.
 */
export function createQueryReader(file: string): (query: ReadQuery) => ReadAnswer {
  const database = new Database(file, { readonly: true })
  database.pragma('busy_timeout = 2000')
  database.pragma('cache_size = -8192')
  const statements = new Map<string, Database.Statement>()
  const prepare = (sql: string): Database.Statement => {
    const statement = statements.get(sql) ?? database.prepare(sql)
    if (statements.size >= keptStatements) statements.clear()
    statements.set(sql, statement)
    return statement
  }
  return ({ id, sql, parameters }) => {
    try {
      return { id, rows: prepare(sql).all(parameters) }
    } catch (error) {
      const { message, code } = error as { readonly message: string; readonly code?: unknown }
      return { id, fault: { message, code } }
    }
  }
}
