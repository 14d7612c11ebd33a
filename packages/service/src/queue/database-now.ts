import { type RawBuilder, sql } from 'kysely'
import type { StoreDriver } from '../store/store.ts'

/**
 * Returns an SQL expression for the time that all processes of a queue share, in milliseconds since 1970. With
 * PostgreSQL it is the server's time.
 *
 * @param driver - The kind of database.
 */
export function databaseNow(driver: StoreDriver): RawBuilder<number> {
  return driver === 'postgres' ? sql<number>`(extract(epoch from now()) * 1000)::bigint` : sql<number>`${Date.now()}`
}
