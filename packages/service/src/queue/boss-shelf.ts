import { CompiledQuery, sql } from 'kysely'
import type PgBoss from 'pg-boss'
import type { Session, Store } from '../store/store.ts'
import type { QueueDriver } from './embedded-shelf.ts'
import type { QueueItem } from './queue.ts'
import type { ShelfItem } from './shelf.ts'

const queueName = 'trestle'
/** Work is never thrown away for being old. */
const keepUntil = new Date('9999-01-01T00:00:00Z')
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
    async put(tx, items, delayMs) {
      await boss().insert(
        items.map((item) => toInsert(item, 0, delayMs)),
        { db: databaseOf(tx) },
      )
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
    async remove(tx, item) {
      if (await release(tx, item)) await boss().deleteJob(queueName, item.itemId, { db: databaseOf(tx) })
    },
    putBack: (item, delayMs) =>
      store.transaction(async (tx) => {
        if (!(await release(tx, item))) return
        await boss().deleteJob(queueName, item.itemId, { db: databaseOf(tx) })
        await boss().insert([toInsert(item, item.attempts, delayMs)], { db: databaseOf(tx) })
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

function toInsert({ kind, id, lane }: QueueItem, attempts: number, delayMs: number): PgBoss.JobInsert<BossData> {
  return {
    name: queueName,
    data: { kind, id, lane, attempts },
    retryLimit,
    keepUntil,
    ...(delayMs > 0 ? { startAfter: new Date(Date.now() + delayMs) } : {}),
  }
}

function databaseOf(session: Session): PgBoss.Db {
  return {
    executeSql: async (text, values = []) => {
      const { rows } = await session.executeQuery(CompiledQuery.raw(text, values))
      return { rows: [...rows] }
    },
  }
}

/** Ends the claim of a process on an item; returns whether it still had it. */
async function release(tx: Session, { itemId, processId }: ShelfItem): Promise<boolean> {
  const { numDeletedRows } = await tx
    .deleteFrom('queueClaims')
    .where('itemId', '=', itemId)
    .where('processId', '=', processId)
    .executeTakeFirst()
  return numDeletedRows > 0n
}
