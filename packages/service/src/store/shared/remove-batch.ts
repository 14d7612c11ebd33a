import { type RawBuilder, sql } from 'kysely'
import { isPostgres } from '../prepared.ts'
import type { Tables } from '../schema/tables.ts'
import type { Session } from '../store.ts'

/** Rows of one table to delete. */
export interface RowBatch {
  readonly table: keyof Tables
  readonly where: RawBuilder<unknown>
  /** The maximum number of rows. */
  readonly limit: number
}

/**
 * Deletes some of the rows that match a condition, so that other work runs before the next batch.
 *
 * @returns The number of deleted rows.
 */
export async function removeBatch(db: Session, { table, where, limit }: RowBatch): Promise<number> {
  const name = sql.table(table)
  const batch = (row: string) => sql`select ${sql.raw(row)} from ${name} where ${where} limit ${sql.lit(limit)}`
  // If a row was changed in the meantime, old minor versions of PostgreSQL recheck only the other conditions.
  const condition = isPostgres(db)
    ? sql`ctid = any(array(${batch('ctid')})) and ${where}`
    : sql`rowid in (${batch('rowid')})`
  const { numAffectedRows = 0n } = await sql`delete from ${name} where ${condition}`.execute(db)
  return Number(numAffectedRows)
}
