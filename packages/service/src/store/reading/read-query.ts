import Database from 'libsql'

/** A query for the reading thread. */
export interface ReadQuery {
  /** Its id within the thread. */
  readonly id: number
  readonly sql: string
  readonly parameters: readonly unknown[]
}

/** The response of the thread: the rows, or the error. */
export interface ReadAnswer {
  readonly id: number
  readonly rows?: readonly unknown[]
  readonly fault?: { readonly message: string; readonly code: unknown }
}

const keptStatements = 200

/** Opens a database read-only, and returns a function that answers queries. */
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
