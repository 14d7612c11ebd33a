import { type RawBuilder, sql } from 'kysely'
import type { StoreDriver } from '../store/store.ts'

/**
 * Returns the time that all processes of a queue go by, milliseconds since 1970: that of the server, where there is one.
 *
 * @param driver - Which database it is.
 */
export function databaseNow(driver: StoreDriver): RawBuilder<number> {
  return driver === 'postgres' ? sql<number>`(extract(epoch from now()) * 1000)::bigint` : sql<number>`${Date.now()}`
}
