import { CompiledQuery, type RawBuilder, sql } from 'kysely'
import type PgBoss from 'pg-boss'
import { compilable, insertJson, runPrepared, toJson } from '../store/prepared.ts'
import type { Session, Store } from '../store/store.ts'
import type { QueueDriver } from './embedded-shelf.ts'
import type { QueueItem } from './queue.ts'
import type { ShelfItem } from './shelf.ts'

const queueName = 'trestle'
const retryLimit = 1_000_000
/** Any number that no other use of advisory locks in the database takes. */
const lockNumber = 7_305_114_902

interface BossData extends QueueItem {
  readonly attempts: number
}

/**
 * Creates the driver that keeps the queue in pg-boss, in the same PostgreSQL and through the same connections. Which
 * process holds which item is kept beside it, so that the items of a killed process come back in seconds.
 *
 * @param onError - Receives errors of pg-boss's own maintenance.
 */
export function createBossShelf(store: Store, onError: (error: unknown) => void): QueueDriver {
  let opened: PgBoss | undefined
  const boss = (): PgBoss => {
    if (!opened) throw new Error('The queue is not open.')
    return opened
  }

  return {
    // pg-boss prepares its schema in several steps; processes that start together take turns.
    open: () =>
      store.transaction(async (tx) => {
        await sql`select pg_advisory_xact_lock(${lockNumber}::bigint)`.execute(tx)
        const { default: Boss } = await import('pg-boss')
        opened = new Boss({ db: databaseOf(store.db), schedule: false, maintenanceIntervalSeconds: 60 })
        opened.on('error', onError)
        await opened.start()
        if (!(await boss().getQueue(queueName)))
          await boss().createQueue(queueName, { name: queueName, retryLimit, retryDelay: 0, expireInHours: 12 })
      }),
    close: async () => opened?.stop({ graceful: false, wait: true, close: false }),
    put: (tx, items, delayMs) => insertItems(tx, items.map(toData), delayMs),
    async putWith({ table, rows }, items) {
      const [first] = rows
      if (!first) return
      const columns = Object.keys(first)
      const values = [toJson(rows), 0, toJson(items.map(toData))] as const
      await runPrepared(store.db, {
        name: `insert ${table} with its work ${columns.join()}`,
        values,
        build: () => {
          const [text, delayMs, data] = values
          const statement = sql`with "stored" as (${insertJson(table, columns, text)}) ${insertJobs(delayMs, data)}`
          return compilable(store.db, statement)
        },
      })
    },
    take: (max, processId) =>
      store.transaction(async (tx) => {
        const jobs = await boss().fetch<BossData>(queueName, { batchSize: max, priority: false, db: databaseOf(tx) })
        if (jobs.length === 0) return []
        await tx
          .insertInto('queueClaims')
          .values(jobs.map(({ id }) => ({ itemId: id, kind: queueName, processId })))
          .onConflict((conflict) => conflict.column('itemId').doUpdateSet({ processId }))
          .execute()
        return jobs.map(({ id, data }): ShelfItem => ({ ...data, itemId: id, attempts: data.attempts + 1, processId }))
      }),
    remove: async (tx, item) => void (await release(tx, item)),
    putBack: (item, delayMs) =>
      store.transaction(async (tx) => {
        const { kind, id, lane, attempts } = item
        if (await release(tx, item)) await insertItems(tx, [{ kind, id, lane, attempts }], delayMs)
      }),
    async reclaim(tx) {
      const rows = await tx
        .deleteFrom('queueClaims')
        .where('processId', 'not in', tx.selectFrom('processes').select('id'))
        .returning('itemId')
        .execute()
      const ids = rows.map(({ itemId }) => itemId)
      if (ids.length > 0) await boss().fail(queueName, ids, { db: databaseOf(tx) })
    },
    size: () => boss().getQueueSize(queueName, { before: 'completed' }),
  }
}

const toData = ({ kind, id, lane }: QueueItem): BossData => ({ kind, id, lane, attempts: 0 })

async function insertItems(tx: Session, items: readonly BossData[], delayMs: number): Promise<void> {
  const values = [Math.max(0, delayMs), toJson(items)] as const
  await runPrepared(tx, {
    name: 'insert jobs of pg-boss',
    values,
    build: () => compilable(tx, insertJobs(...values)),
  })
}

/**
 * Jobs are stored as pg-boss stores them, but by a plain statement, as it allows: its own has four more decisions for
 * each job, and a round trip of its own.
 */
function insertJobs(delayMs: number, data: string): RawBuilder<unknown> {
  return sql`insert into "pgboss"."job"
    ("name", "data", "start_after", "expire_in", "keep_until", "retry_limit", "retry_delay", "policy")
    select ${sql.lit(queueName)}, "item"::jsonb, now() + ${delayMs}::double precision * interval '1 millisecond',
      interval '12 hours', timestamptz '9999-01-01', ${sql.lit(retryLimit)}, 0, 'standard'
    from json_array_elements(${data}::json) as "item"`
}

function databaseOf(session: Session): PgBoss.Db {
  return {
    executeSql: async (text, values = []) => {
      const { rows } = await session.executeQuery(CompiledQuery.raw(text, values))
      return { rows: [...rows] }
    },
  }
}

/** Removes an item if the process still has it; returns whether it had. */
async function release(tx: Session, { itemId, processId }: ShelfItem): Promise<boolean> {
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
