import { type RawBuilder, sql } from 'kysely'
import { createQueryKey, runPrepared, toJson } from '../store/prepared.ts'
import type { QueueItemRow } from '../store/schema/traffic.ts'
import { listOf } from '../store/shared/row-list.ts'
import { createSharedStatement } from '../store/shared/shared-statement.ts'
import type { Session, Store, StoreDriver } from '../store/store.ts'
import { databaseNow } from './database-now.ts'
import type { LaneName } from './lane-name.ts'
import { priorities, type QueueItem, type QueueState } from './queue.ts'

const removeQueueItemQuery = createQueryKey('remove a queue item')
const removeQueueItemsQuery = createQueryKey('remove queue items')

/** An item that a process has taken. */
export interface HeldItem extends QueueItem {
  readonly itemId: string
  /** How often it was taken, including this time. */
  readonly attempts: number
  /** The process that took it. After another process took it over, this one can no longer remove or requeue it. */
  readonly processId: string
}

/** Operations on the queue's table, on which the worker is built. */
export interface QueueDriver {
  /** Takes up to `max` items for a process. Takes none if the process is not registered. */
  take(max: number, processId: string): Promise<readonly HeldItem[]>
  /** Removes a finished item. */
  remove(tx: Session, item: HeldItem): Promise<void>
  /** Requeues an item after a delay. */
  requeue(item: HeldItem, delayMs: number): Promise<void>
  /** Requeues the items of unregistered processes, and returns how many there were. */
  reclaim(tx: Session): Promise<number>
  /**
   * Requeues items that a process holds without knowing it, because the database may have stored that it took them, but
   * the reply was lost.
   */
  release(processId: string, keptItems: readonly HeldItem[]): Promise<void>
  /** Corrects the due time of items that were added before the clock was set back. */
  realign(tx: Session): Promise<void>
  /** Returns the number of items. */
  size(): Promise<number>
  /** Returns the state of the queue. */
  state(): Promise<QueueState>
}

/**
 * Creates the driver of the queue's table.
 *
 * @param store - The database.
 */
export function createQueueDriver(store: Store): QueueDriver {
  const now = (): RawBuilder<number> => databaseNow(store.driver)
  const share = createBulkShare()
  return {
    async take(max, processId) {
      const bulkFirst = Math.min(max, share.due())
      const { rows } = await takeStatement(store.driver, { max, processId, bulkFirst }).execute(store.db)
      share.count(rows)
      return rows.toSorted(inOrder).map((row) => toHeld(row, processId))
    },
    remove: removeItem,
    async requeue({ itemId, processId }, delayMs) {
      await store.db
        .updateTable('queueItems')
        .set({ processId: null, dueAt: sql<number>`${now()} + ${Math.round(delayMs)}`, createdAt: now() })
        .where('id', '=', itemId)
        .where('processId', '=', processId)
        .execute()
    },
    async reclaim(tx) {
      const { numUpdatedRows } = await tx
        .updateTable('queueItems')
        .set({ processId: null })
        .where('processId', 'is not', null)
        .where('processId', 'not in', tx.selectFrom('processes').select('id'))
        .executeTakeFirst()
      return Number(numUpdatedRows)
    },
    async release(processId, keptItems) {
      const ids = keptItems.map(({ itemId }) => itemId)
      await store.db
        .updateTable('queueItems')
        .set({ processId: null })
        .where('processId', '=', processId)
        .$if(ids.length > 0, (query) => query.where('id', 'not in', ids))
        .execute()
    },
    async realign(tx) {
      await tx
        .updateTable('queueItems')
        .set(({ eb }) => ({ dueAt: eb(eb('dueAt', '-', eb.ref('createdAt')), '+', now()), createdAt: now() }))
        .where('processId', 'is', null)
        .where('dueAt', '>', now())
        .where('createdAt', '>', now())
        .execute()
    },
    async size() {
      const count = store.db.selectFrom('queueItems').select(({ fn }) => fn.countAll<number>().as('count'))
      return Number((await count.executeTakeFirstOrThrow()).count)
    },
    state: () => readState(store),
  }
}

function toHeld(row: QueueItemRow, processId: string): HeldItem {
  const { id: itemId, kind, subject: id, attempts } = row
  return {
    itemId,
    kind,
    id,
    lane: row.lane as LaneName,
    priority: priorities[row.priority] ?? 'bulk',
    attempts,
    processId,
  }
}

const bulk = priorities.indexOf('bulk')
/** After this many other items, one bulk item is taken before others. */
const othersPerBulk = 8

/** Counts taken items, so that bulk items get their share under lasting load. */
function createBulkShare() {
  let others = 0
  return {
    /** Returns how many bulk items are due before others. */
    due: (): number => Math.floor(others / othersPerBulk),
    count(rows: readonly Pick<QueueItemRow, 'priority'>[]): void {
      const taken = rows.filter(({ priority }) => priority === bulk).length
      const isMissed = others >= othersPerBulk && taken === 0
      // There is no bulk work; its unused share is not carried over.
      if (isMissed) others = 0
      else others = Math.max(0, others - taken * othersPerBulk) + rows.length - taken
    },
  }
}

/** Items that another process has taken over since are not removed. */
const removeItem = createSharedStatement<HeldItem, void>({
  async run(tx, items) {
    const [first] = items
    if (first && items.length === 1) {
      const { itemId, processId } = first
      await runPrepared(tx, {
        key: removeQueueItemQuery,
        values: [itemId, processId],
        build: () => tx.deleteFrom('queueItems').where('id', '=', itemId).where('processId', '=', processId),
      })
      return [undefined]
    }
    const text = toJson(items.map(({ itemId, processId }) => ({ id: itemId, processId })))
    await runPrepared(tx, {
      key: removeQueueItemsQuery,
      values: [text],
      isNamed: false,
      build: () => {
        const done = listOf(tx, { table: 'queueItems', columns: ['id', 'processId'] }, text)
        return tx.deleteFrom('queueItems').where(sql<boolean>`("id", "processId") in ${done}`)
      },
    })
    return items.map(() => undefined)
  },
})

/** Limits of taking items. */
export interface TakeLimits {
  /** The maximum number of items. */
  readonly max: number
  /** The process that takes them. */
  readonly processId: string
  /** How many bulk items are taken before others. @default 0 */
  readonly bulkFirst?: number
}

/**
 * Returns the statement that takes due items, by priority. For each priority, it reads only as many index entries as it needs. It is not a prepared statement, because PostgreSQL would keep a plan that fits a short queue.
 *
 * @param driver - The kind of database.
 * @param limits - The number of items, and the process.
 */
export function takeStatement(
  driver: StoreDriver,
  { max, processId, bulkFirst = 0 }: TakeLimits,
): RawBuilder<QueueItemRow> {
  const isShared = driver === 'postgres'
  const find = (priority: number, [skipped, limit]: readonly [number, number], name: string) =>
    sql`select "id" from (select "id" from "queueItems"
      where "processId" is null and "priority" = ${sql.lit(priority)} and "dueAt" <= ${databaseNow(driver)}
      order by "dueAt" limit ${limit} offset ${skipped} ${isShared ? sql`for update skip locked` : sql``}) as ${sql.ref(name)}`
  // An item that is listed twice would be counted twice.
  const due = priorities.map((name, priority) => find(priority, [priority === bulk ? bulkFirst : 0, max], name))
  if (bulkFirst > 0) due.unshift(find(bulk, [0, bulkFirst], 'share'))
  const ids = sql`select "id" from (${sql.join(due, sql` union all `)}) as "due" limit ${max}`
  return sql<QueueItemRow>`update "queueItems" set "processId" = ${processId}, "attempts" = "attempts" + 1
    where ${isShared ? sql`"id" = any(array(${ids}))` : sql`"id" in (${ids})`}
      and exists (select 1 from "processes" where "id" = ${processId})
    returning *`
}

const inOrder = (a: QueueItemRow, b: QueueItemRow): number =>
  a.priority - b.priority || a.dueAt - b.dueAt || (a.id < b.id ? -1 : 1)

async function readState({ db, driver }: Store): Promise<QueueState> {
  const now = databaseNow(driver)
  const row = await db
    .selectFrom('queueItems')
    .select([
      sql<number>`count(*) filter (where "processId" is not null)`.as('active'),
      sql<number>`count(*) filter (where "processId" is null and "dueAt" > ${now})`.as('waiting'),
      sql<number>`count(*) filter (where "processId" is null and "dueAt" <= ${now})`.as('due'),
      sql<number | null>`${now} - min("dueAt") filter (where "processId" is null)`.as('oldestMs'),
    ])
    .executeTakeFirstOrThrow()
  const { due, waiting, active, oldestMs } = row
  return { items: { due, waiting, active }, oldestDueMs: due > 0 ? (oldestMs ?? 0) : 0 }
}
