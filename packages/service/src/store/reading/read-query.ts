import Database from 'libsql'

/** A query for a reading thread, or the request to close a database. */
export interface ReadRequest {
  /** Its id within the process. */
  readonly id: number
  /** The path of the database. */
  readonly file: string
  /** Undefined to close the database. */
  readonly sql?: string
  readonly parameters?: readonly unknown[]
}

/** The response of the thread: the rows, or the error. */
export interface ReadAnswer {
  readonly id: number
  readonly rows?: readonly unknown[]
  readonly fault?: { readonly message: string; readonly code: unknown }
}

const keptStatements = 200

interface OpenDatabase {
  query(sql: string, parameters: readonly unknown[]): readonly unknown[]
  close(): void
}

/** Returns a function that answers requests; databases are opened read-only at their first query. */
export function createQueryReader(): (request: ReadRequest) => ReadAnswer {
  const databases = new Map<string, OpenDatabase>()
  const open = (file: string): OpenDatabase => {
    const database = databases.get(file) ?? openDatabase(file)
    databases.set(file, database)
    return database
  }
  return ({ id, file, sql, parameters = [] }) => {
    try {
      if (sql !== undefined) return { id, rows: open(file).query(sql, parameters) }
      databases.get(file)?.close()
      databases.delete(file)
      return { id }
    } catch (error) {
      const { message, code } = error as { readonly message: string; readonly code?: unknown }
      return { id, fault: { message, code } }
    }
  }
}

function openDatabase(file: string): OpenDatabase {
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
  return {
    query: (sql, parameters) => prepare(sql).all(parameters),
    close: () => void database.close(),
  }
}
