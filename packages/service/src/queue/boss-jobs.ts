import { type RawBuilder, sql } from 'kysely'
import { compilable, insertJson, runPrepared, toJson } from '../store/prepared.ts'
import type { Tables } from '../store/schema/tables.ts'
import type { Session } from '../store/store.ts'
import type { StoredRows } from './embedded-shelf.ts'
import type { QueueItem, QueueState } from './queue.ts'
import type { ShelfItem } from './shelf.ts'

/** The name of the one queue. */
export const queueName = 'trestle'
/** How often pg-boss may hand a job out again; how long to wait is decided here. */
export const retryLimit = 1_000_000

/** The data of a job of pg-boss. */
export interface BossData extends QueueItem {
  /** How often it was taken. */
  readonly attempts: number
}

// Jobs are stored as pg-boss stores them, but by a plain insert, which it allows: its own decides more for each job, and
// takes a round trip of its own.

/**
 * Inserts jobs.
 *
 * @param tx - The session.
 * @param jobs - The jobs.
 * @param delayMs - How long they wait, in milliseconds.
 */
export async function insertJobs(tx: Session, jobs: readonly BossData[], delayMs: number): Promise<void> {
  const values = [Math.max(0, delayMs), toJson(jobs)] as const
  await runPrepared(tx, {
    name: 'insert jobs of pg-boss',
    values,
    build: () => compilable(tx, jobInsert(...values)),
  })
}

/**
 * Inserts rows of one table and jobs by one statement, so that both are stored or neither.
 *
 * @param db - The session.
 * @param stored - The rows.
 * @param jobs - The jobs.
 */
export async function insertWithJobs<TTable extends keyof Tables & string>(
  db: Session,
  { table, rows }: StoredRows<TTable>,
  jobs: readonly BossData[],
): Promise<void> {
  const [first] = rows
  if (!first) return
  const columns = Object.keys(first)
  const values = [toJson(rows), 0, toJson(jobs)] as const
  await runPrepared(db, {
    name: `insert ${table} with its work ${columns.join()}`,
    values,
    build: () => {
      const [text, delayMs, data] = values
      const statement = sql`with "stored" as (${insertJson(table, columns, text)}) ${jobInsert(delayMs, data)}`
      return compilable(db, statement)
    },
  })
}

function jobInsert(delayMs: number, data: string): RawBuilder<unknown> {
  return sql`insert into "pgboss"."job"
    ("name", "data", "start_after", "expire_in", "keep_until", "retry_limit", "retry_delay", "policy")
    select ${sql.lit(queueName)}, "item"::jsonb, now() + ${delayMs}::double precision * interval '1 millisecond',
      interval '12 hours', timestamptz '9999-01-01', ${sql.lit(retryLimit)}, 0, 'standard'
    from json_array_elements(${data}::json) as "item"`
}

/**
 * Removes a job if the process still holds it.
 *
 * @param tx - The session.
 * @param item - The job and the process.
 * @returns Whether the process held it.
 */
export async function removeJob(tx: Session, { itemId, processId }: ShelfItem): Promise<boolean> {
  const values = [itemId, processId] as const
  const { numAffectedRows = 0n } = await runPrepared(tx, {
    name: 'remove a job of pg-boss',
    values,
    build: () => {
      const statement = sql`with "released" as
        (delete from "queueClaims" where "itemId" = ${itemId} and "processId" = ${processId} returning "itemId")
        delete from "pgboss"."job" where "name" = ${sql.lit(queueName)} and "id" in (select "itemId"::uuid from "released")`
      return compilable(tx, statement)
    },
  })
  return numAffectedRows > 0n
}

/**
 * Lets jobs be taken at their time again that were stored before the time of the database was set back.
 *
 * @param tx - The session.
 */
export async function realignJobs(tx: Session): Promise<void> {
  await sql`update "pgboss"."job" set "start_after" = now() + ("start_after" - "created_on"), "created_on" = now()
    where "name" = ${sql.lit(queueName)} and "state" < 'active' and "start_after" > now() and "created_on" > now()`.execute(
    tx,
  )
}

/**
 * Returns what waits in the queue.
 *
 * @param db - The session.
 */
export async function readJobState(db: Session): Promise<QueueState> {
  const { rows } = await sql<{ due: number; waiting: number; active: number; oldestDueMs: number | null }>`select
    count(*) filter (where "state" = 'active') as "active",
    count(*) filter (where "state" < 'active' and "start_after" > now()) as "waiting",
    count(*) filter (where "state" < 'active' and "start_after" <= now()) as "due",
    (extract(epoch from now() - min("start_after") filter (where "state" < 'active' and "start_after" <= now())) * 1000)::bigint
      as "oldestDueMs"
    from "pgboss"."job" where "name" = ${sql.lit(queueName)} and "state" < 'completed'`.execute(db)
  const { due = 0, waiting = 0, active = 0, oldestDueMs } = rows[0] ?? {}
  return { items: { due, waiting, active }, oldestDueMs: oldestDueMs ?? 0 }
}
