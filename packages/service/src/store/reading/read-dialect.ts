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
 * Creates Kysely's dialect for a read-only embedded database in separate threads, so that no query blocks requests,
 * however many rows it reads.
 *
 * @param file - The path of the database.
 */
export function createReadDialect(file: string, toParameter: (value: unknown) => unknown): Dialect {
  const reader = createReader(file)
  const refuse = (): never => {
    throw new Error('A read-only database has no transactions.')
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
