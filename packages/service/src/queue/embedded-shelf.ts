import { randomUUID } from 'node:crypto'
import { sql } from 'kysely'
import { insertPrepared, runPrepared } from '../store/prepared.ts'
import type { Tables } from '../store/schema/tables.ts'
import type { Session, Store } from '../store/store.ts'
import type { QueueItem, QueueState } from './queue.ts'
import type { Shelf, ShelfItem } from './shelf.ts'

const rowsPerInsert = 100

/** Rows of one table that are stored with the work they mean. */
export interface StoredRows<TTable extends keyof Tables & string = keyof Tables & string> {
  /** The table. */
  readonly table: TTable
  /** The rows; all have the same columns, in the same order. */
  readonly rows: readonly Tables[TTable][]
}

/** A driver of the queue. */
export interface QueueDriver extends Shelf {
  /** Prepares the database. */
  open(): Promise<void>
  /** Adds work. */
  put(tx: Session, items: readonly QueueItem[], delayMs: number): Promise<void>
  /** Stores rows and adds the work they mean: both, or nothing. */
  putWith<TTable extends keyof Tables & string>(stored: StoredRows<TTable>, items: readonly QueueItem[]): Promise<void>
  /** Returns how many items are there. */
  size(): Promise<number>
  /** Returns what waits. */
  state(): Promise<QueueState>
  /** Ends what it does in the background. */
  close(): Promise<void>
}

/** Creates the driver that keeps the queue in a table of the service's own database. */
export function createEmbeddedShelf(store: Store): QueueDriver {
  return {
    async open() {},
    async close() {},
    put,
    putWith: ({ table, rows }, items) =>
      store.transaction(async (tx) => {
        for (let start = 0; start < rows.length; start += rowsPerInsert)
          await insertPrepared(tx, table, rows.slice(start, start + rowsPerInsert))
        await put(tx, items, 0)
      }),
    async take(max, processId) {
      const due = store.db
        .selectFrom('queueItems')
        .select('id')
        .where('processId', 'is', null)
        .where('dueAt', '<=', Date.now())
        .orderBy('dueAt')
        .limit(max)
      const rows = await store.db
        .updateTable('queueItems')
        .set((row) => ({ processId, attempts: row('attempts', '+', 1) }))
        .where('id', 'in', due)
        .returningAll()
        .execute()
      return rows.map(({ id, kind, subject, lane, attempts }): ShelfItem => {
        return { itemId: id, kind, id: subject, lane, attempts, processId }
      })
    },
    async remove(tx, { itemId, processId }) {
      await runPrepared(tx, {
        name: 'remove a queue item',
        values: [itemId, processId],
        build: () => tx.deleteFrom('queueItems').where('id', '=', itemId).where('processId', '=', processId),
      })
    },
    async putBack({ itemId, processId }, delayMs) {
      const createdAt = Date.now()
      await store.db
        .updateTable('queueItems')
        .set({ processId: null, dueAt: createdAt + delayMs, createdAt })
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
    release: (processId, known) => release(store.db, processId, known),
    realign,
    size: () => count(store),
    state: () => readState(store),
  }
}

async function put(tx: Session, items: readonly QueueItem[], delayMs: number): Promise<void> {
  const nowMs = Date.now()
  const rows = items.map(({ kind, id, lane }) => ({
    id: randomUUID(),
    kind,
    subject: id,
    lane,
    dueAt: nowMs + Math.max(0, delayMs),
    attempts: 0,
    processId: null,
    createdAt: nowMs,
  }))
  for (let start = 0; start < rows.length; start += rowsPerInsert)
    await insertPrepared(tx, 'queueItems', rows.slice(start, start + rowsPerInsert))
}

/** Puts back what a process holds beside what it knows of. */
async function release(db: Session, processId: string, known: readonly ShelfItem[]): Promise<void> {
  const ids = known.map(({ itemId }) => itemId)
  await db
    .updateTable('queueItems')
    .set({ processId: null })
    .where('processId', '=', processId)
    .$if(ids.length > 0, (query) => query.where('id', 'not in', ids))
    .execute()
}

/** Waits of what was added later than it is now begin now. */
async function realign(tx: Session): Promise<void> {
  const nowMs = Date.now()
  await tx
    .updateTable('queueItems')
    .set(({ eb }) => ({ dueAt: eb(eb('dueAt', '-', eb.ref('createdAt')), '+', nowMs), createdAt: nowMs }))
    .where('processId', 'is', null)
    .where('dueAt', '>', nowMs)
    .where('createdAt', '>', nowMs)
    .execute()
}

async function count({ db }: Store): Promise<number> {
  const row = await db
    .selectFrom('queueItems')
    .select(({ fn }) => fn.countAll<number>().as('count'))
    .executeTakeFirstOrThrow()
  return Number(row.count)
}

async function readState({ db }: Store): Promise<QueueState> {
  const nowMs = Date.now()
  const row = await db
    .selectFrom('queueItems')
    .select([
      sql<number>`count(*) filter (where "processId" is not null)`.as('active'),
      sql<number>`count(*) filter (where "processId" is null and "dueAt" > ${nowMs})`.as('waiting'),
      sql<number>`count(*) filter (where "processId" is null and "dueAt" <= ${nowMs})`.as('due'),
      sql<number | null>`min("dueAt") filter (where "processId" is null)`.as('oldestAt'),
    ])
    .executeTakeFirstOrThrow()
  const { due, waiting, active, oldestAt } = row
  return { items: { due, waiting, active }, oldestDueMs: due > 0 ? nowMs - (oldestAt ?? nowMs) : 0 }
}
