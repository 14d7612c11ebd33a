import { type QueryExecutorProvider, sql } from 'kysely'
import { systemClock } from '../../clock/clock.ts'
import { type Migration, type TableIndex, toIndexStatement } from './migration.ts'

/** The database, with access to a single connection. */
interface Database extends QueryExecutorProvider {
  connection(): { execute<T>(work: (connection: QueryExecutorProvider) => Promise<T>): Promise<T> }
}

/** An arbitrary number, unique among the database's advisory locks. */
const lockNumber = 7_305_114_902
const retryMs = 200

/**
 * Builds the indexes of migrations that are missing on PostgreSQL, without blocking writes. An index whose building was
 * interrupted is dropped and built again. If several processes start, one of them builds, and the others wait.
 */
export async function buildIndexes(db: Database, migrations: readonly Migration[]): Promise<void> {
  const indexes = migrations.flatMap((migration) => migration.indexes ?? [])
  while ((await findMissing(db, indexes)).length > 0) {
    // The lock belongs to the connection: an index cannot be built concurrently within a transaction.
    const isDone = await db.connection().execute((connection) => buildLocked(connection, indexes))
    if (!isDone) await systemClock.sleep(retryMs)
  }
}

/**
 * Returns false if another process is building. It does not wait for the lock in the database, because the build waits for
 * all statements that started earlier.
 */
async function buildLocked(connection: QueryExecutorProvider, indexes: readonly TableIndex[]): Promise<boolean> {
  const { rows } = await sql<{
    readonly isLocked: boolean
  }>`select pg_try_advisory_lock(${lockNumber}::bigint) as "isLocked"`.execute(connection)
  if (!rows[0]?.isLocked) return false
  try {
    for (const index of await findMissing(connection, indexes)) {
      await sql.raw(`drop index concurrently if exists "${index.name}"`).execute(connection)
      await sql.raw(toIndexStatement(index, 'concurrently')).execute(connection)
    }
    return true
  } finally {
    await sql`select pg_advisory_unlock(${lockNumber}::bigint)`.execute(connection)
  }
}

/** Returns the indexes that do not exist, or are invalid because their building was interrupted. */
async function findMissing(db: QueryExecutorProvider, indexes: readonly TableIndex[]): Promise<readonly TableIndex[]> {
  if (indexes.length === 0) return []
  const { rows } = await sql<{ readonly name: string }>`select "relname" as "name" from "pg_index"
    join "pg_class" on "pg_class"."oid" = "indexrelid"
    where "indisvalid" and pg_table_is_visible("indrelid") and "relname" in (${sql.join(indexes.map(({ name }) => name))})`.execute(
    db,
  )
  return indexes.filter(({ name }) => !rows.some((row) => row.name === name))
}
