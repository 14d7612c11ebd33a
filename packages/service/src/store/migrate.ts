import { sql } from 'kysely'
import { systemClock } from '../clock/clock.ts'
import { errorCode } from './faults/error-code.ts'
import { buildIndexes } from './migrations/build-indexes.ts'
import { type Migration, toIndexStatement } from './migrations/migration.ts'
import { migrations } from './migrations/migrations.ts'
import type { Session, Store } from './store.ts'

/** Thrown if the database was migrated by a newer version. */
export class NewerDatabaseError extends Error {
  override readonly name = 'NewerDatabaseError'
}

/** An arbitrary number, unique among the database's advisory locks. */
const lockNumber = 7_305_114_901

/**
 * A change of a table waits for statements that use it, such as a backup, and all other statements wait for the change.
 * So it soon makes way, and is tried again.
 */
const lockTimeoutMs = 1000
const retryMs = 500
/** About an hour. */
const maxAttempts = 2400
const lockNotAvailable = '55P03'

/**
 * Migrates a database to this version. Each migration runs once, in its own transaction, even if several processes
 * start concurrently. Processes of the previous version can continue to work: no table is locked for long.
 *
 * @param list - The migrations. @default all of this version
 * @returns The names of those that ran now.
 * @throws {NewerDatabaseError} A newer version has migrated the database; nothing is changed.
 */
export async function migrate(store: Store, list: readonly Migration[] = migrations): Promise<readonly string[]> {
  const done = await store.transaction((tx) => prepare(tx, store))
  const unknown = done.filter((name) => !list.some((migration) => migration.name === name))
  if (unknown.length > 0)
    throw new NewerDatabaseError(
      `The database was migrated by a newer version (${unknown.join(', ')}). Start that version, or use another database.`,
    )
  const ran: string[] = []
  for (const migration of list)
    if (!done.includes(migration.name) && (await runPatiently(store, migration))) ran.push(migration.name)
  if (store.driver === 'postgres') await buildIndexes(store.db, list)
  return ran
}

async function runPatiently(store: Store, migration: Migration): Promise<boolean> {
  for (let attempt = 1; ; attempt++)
    try {
      return await store.transaction((tx) => run(tx, store, migration))
    } catch (error) {
      if (errorCode(error) !== lockNotAvailable || attempt >= maxAttempts) throw error
      await systemClock.sleep(retryMs)
    }
}

async function prepare(tx: Session, store: Store): Promise<readonly string[]> {
  await lock(tx, store)
  await sql`create table if not exists "migrations" ("name" text not null, "ranAt" bigint not null, primary key ("name"))`.execute(
    tx,
  )
  const { rows } = await sql<{ readonly name: string }>`select "name" from "migrations"`.execute(tx)
  return rows.map(({ name }) => name)
}

async function run(tx: Session, store: Store, migration: Migration): Promise<boolean> {
  const { name, statements, onPostgres = [], indexes = [] } = migration
  await lock(tx, store)
  const { rows } = await sql`select 1 from "migrations" where "name" = ${name}`.execute(tx)
  if (rows.length > 0) return false
  if (store.driver === 'postgres') await sql.raw(`set local lock_timeout = ${lockTimeoutMs}`).execute(tx)
  // The embedded database has one writer, which waits for the index in any case.
  const all = [
    ...statements,
    ...(store.driver === 'postgres' ? onPostgres : indexes.map((index) => toIndexStatement(index))),
  ]
  for (const statement of all) await sql.raw(statement).execute(tx)
  await sql`insert into "migrations" ("name", "ranAt") values (${name}, ${Date.now()})`.execute(tx)
  return true
}

/** A transaction of the embedded database already holds the write lock. */
async function lock(tx: Session, { driver }: Store): Promise<void> {
  if (driver === 'postgres') await sql`select pg_advisory_xact_lock(${lockNumber}::bigint)`.execute(tx)
}
