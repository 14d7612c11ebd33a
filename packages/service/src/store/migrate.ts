import { sql } from 'kysely'
import type { Migration } from './migrations/migration.ts'
import { migrations } from './migrations/migrations.ts'
import type { Session, Store } from './store.ts'

/** Thrown when the database is of a newer version than the service. */
export class NewerDatabaseError extends Error {
  override readonly name = 'NewerDatabaseError'
}

/** Any number that no other use of advisory locks in the database takes. */
const lockNumber = 7_305_114_901

/**
 * Brings a database to the form this version needs. Each migration runs in its own transaction, once, also when
 * several processes start at the same time.
 *
 * @param list - The migrations. @default all of this version
 * @returns The names of those that ran now.
 * @throws {NewerDatabaseError} When a newer version has migrated the database further; nothing is changed then.
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
    if (!done.includes(migration.name) && (await store.transaction((tx) => run(tx, store, migration))))
      ran.push(migration.name)
  return ran
}

async function prepare(tx: Session, store: Store): Promise<readonly string[]> {
  await lock(tx, store)
  await sql`create table if not exists "migrations" ("name" text not null, "ranAt" bigint not null, primary key ("name"))`.execute(
    tx,
  )
  const { rows } = await sql<{ readonly name: string }>`select "name" from "migrations"`.execute(tx)
  return rows.map(({ name }) => name)
}

async function run(tx: Session, store: Store, { name, statements, onPostgres = [] }: Migration): Promise<boolean> {
  await lock(tx, store)
  const { rows } = await sql`select 1 from "migrations" where "name" = ${name}`.execute(tx)
  if (rows.length > 0) return false
  const all = store.driver === 'postgres' ? [...statements, ...onPostgres] : statements
  for (const statement of all) await sql.raw(statement).execute(tx)
  await sql`insert into "migrations" ("name", "ranAt") values (${name}, ${Date.now()})`.execute(tx)
  return true
}

/** A transaction of the embedded database has the write lock already. */
async function lock(tx: Session, { driver }: Store): Promise<void> {
  if (driver === 'postgres') await sql`select pg_advisory_xact_lock(${lockNumber}::bigint)`.execute(tx)
}
