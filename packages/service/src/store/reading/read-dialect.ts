import {
  type CompiledQuery,
  type DatabaseConnection,
  type Dialect,
  type QueryResult,
  SqliteAdapter,
  SqliteIntrospector,
  SqliteQueryCompiler,
} from 'kysely'
import { createReader } from './reader.ts'

/**
 * Creates Kysely's dialect of an embedded database that is only read, in threads of its own: no query holds up the thread that
 * answers requests, however many rows it goes through.
 *
 * @param file - The path of the database.
 * @param toParameter - Checks a parameter.
 */
export function createReadDialect(file: string, toParameter: (value: unknown) => unknown): Dialect {
  const reader = createReader(file)
  const refuse = (): never => {
    throw new Error('What only reads has no transactions.')
  }
  const connection: DatabaseConnection = {
    async executeQuery<R>({ sql, parameters }: CompiledQuery): Promise<QueryResult<R>> {
      return { rows: (await reader.read(sql, parameters.map(toParameter))) as R[] }
    },
    streamQuery: refuse,
  }
  return {
    createAdapter: () => new SqliteAdapter(),
    createIntrospector: (db) => new SqliteIntrospector(db),
    createQueryCompiler: () => new SqliteQueryCompiler(),
    createDriver: () => ({
      async init() {},
      acquireConnection: async () => connection,
      async releaseConnection() {},
      beginTransaction: async () => refuse(),
      commitTransaction: async () => refuse(),
      rollbackTransaction: async () => refuse(),
      destroy: () => reader.close(),
    }),
  }
}
