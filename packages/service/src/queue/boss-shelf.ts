import { CompiledQuery, sql } from 'kysely'
import type PgBoss from 'pg-boss'
import type { Tables } from '../store/schema/tables.ts'
import type { Session, Store } from '../store/store.ts'
import {
  type BossData,
  insertJobs,
  insertWithJobs,
  queueName,
  readJobState,
  realignJobs,
  removeJob,
  retryLimit,
} from './boss-jobs.ts'
import type { QueueDriver } from './embedded-shelf.ts'
import type { QueueItem } from './queue.ts'
import type { ShelfItem } from './shelf.ts'

/** Any number that no other use of advisory locks in the database takes. */
const lockNumber = 7_305_114_902

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
  async function handOut(tx: Session, claims: readonly Claim[]): Promise<void> {
    const ids = claims.map(({ itemId }) => itemId)
    if (ids.length > 0) await boss().fail(queueName, ids, { db: databaseOf(tx) })
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
    put: (tx, items, delayMs) => insertJobs(tx, items.map(toNewData), delayMs),
    putWith: ({ table, rows }, items) => insertWithJobs(store.db, { table, rows }, items.map(toNewData)),
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
    remove: async (tx, item) => void (await removeJob(tx, item)),
    putBack: (item, delayMs) =>
      store.transaction(async (tx) => {
        const { kind, id, lane, attempts } = item
        if (await removeJob(tx, item)) await insertJobs(tx, [{ kind, id, lane, attempts }], delayMs)
      }),
    async reclaim(tx) {
      const rows = await tx
        .deleteFrom('queueClaims')
        .where('processId', 'not in', tx.selectFrom('processes').select('id'))
        .returning('itemId')
        .execute()
      await handOut(tx, rows)
      return rows.length
    },
    release: (processId, known) =>
      store.transaction(async (tx) => handOut(tx, await releaseClaims(tx, processId, known))),
    realign: realignJobs,
    state: () => readJobState(store.db),
    size: () => boss().getQueueSize(queueName, { before: 'completed' }),
  }
}

/** A job that a process holds. */
type Claim = Pick<Tables['queueClaims'], 'itemId'>

/** Lets a process hold nothing beside what it knows of. */
function releaseClaims(tx: Session, processId: string, known: readonly ShelfItem[]): Promise<readonly Claim[]> {
  const kept = known.map(({ itemId }) => itemId)
  return tx
    .deleteFrom('queueClaims')
    .where('processId', '=', processId)
    .$if(kept.length > 0, (query) => query.where('itemId', 'not in', kept))
    .returning('itemId')
    .execute()
}

function databaseOf(session: Session): PgBoss.Db {
  return {
    executeSql: async (text, values = []) => {
      const { rows } = await session.executeQuery(CompiledQuery.raw(text, values))
      return { rows: [...rows] }
    },
  }
}

const toNewData = ({ kind, id, lane }: QueueItem): BossData => ({ kind, id, lane, attempts: 0 })
