import { type RawBuilder, sql } from 'kysely'
import { createId } from '../store/create-id.ts'
import { insertAll } from '../store/late-rows.ts'
import { compilable, createQueryKey, insertJson, isPostgres, runPrepared, toJson } from '../store/prepared.ts'
import type { Tables } from '../store/schema/tables.ts'
import type { QueueItemRow } from '../store/schema/traffic.ts'
import { createSharedStatement } from '../store/shared/shared-statement.ts'
import type { Session, Store } from '../store/store.ts'
import { databaseNow } from './database-now.ts'
import { priorities, type QueueItem } from './queue.ts'

const insertQueueItemsQuery = createQueryKey('insert queue items')
const insertWithWorkQuery = createQueryKey('insert rows with their work')

/** Rows of one table that are stored together with their work. */
export interface StoredRows<TTable extends keyof Tables & string = keyof Tables & string> {
  readonly table: TTable
  /** The rows. All must have the same columns in the same order. */
  readonly rows: readonly Tables[TTable][]
}

/**
 * Adds work to the queue.
 *
 * @param tx - The session.
 * @param items - The work.
 * @param delayMs - The minimum delay before it is taken, in milliseconds.
 */
export async function putItems(tx: Session, items: readonly QueueItem[], delayMs: number): Promise<void> {
  if (items.length > 0) await putRows(tx, toRows(items, { delayMs, nowMs: isPostgres(tx) ? 0 : Date.now() }))
}

const putRows = createSharedStatement<readonly QueueItemRow[], void>({
  async run(tx, requests) {
    const rows = requests.flat()
    if (!isPostgres(tx)) await insertAll(tx, 'queueItems', rows)
    else {
      const text = toJson(rows)
      await runPrepared(tx, {
        key: insertQueueItemsQuery,
        values: [text],
        build: () => compilable(tx, insertItems(text)),
      })
    }
    return requests.map(() => undefined)
  },
})

/**
 * Stores rows of one table and adds their work, atomically.
 *
 * @param store - The database.
 * @param stored - The rows.
 * @param items - The work.
 */
export async function putWithRows<TTable extends keyof Tables & string>(
  store: Store,
  { table, rows }: StoredRows<TTable>,
  items: readonly QueueItem[],
): Promise<void> {
  const { db } = store
  if (store.driver === 'sqlite')
    return store.transaction(async (tx) => {
      await insertAll(tx, table, rows)
      await putItems(tx, items, 0)
    })
  const columns = Object.keys(rows[0] ?? {})
  const values = [toJson(rows), toText(items, 0)] as const
  await runPrepared(db, {
    key: insertWithWorkQuery,
    form: `${table} ${columns.join()}`,
    values,
    build: () => {
      const [text, work] = values
      return compilable(db, sql`with "stored" as (${insertJson(table, columns, text)}) ${insertItems(work)}`)
    },
  })
}

interface AddedAt {
  readonly delayMs: number
  /** The current time; 0 if the database adds it. */
  readonly nowMs: number
}

function toRows(items: readonly QueueItem[], { delayMs, nowMs }: AddedAt): readonly QueueItemRow[] {
  return items.map(({ kind, id, lane, priority = 'fresh' }) => ({
    ...{ id: createId(Date.now()), kind, subject: id, lane, dueAt: nowMs + Math.max(0, delayMs), attempts: 0 },
    ...{ processId: null, createdAt: nowMs, priority: priorities.indexOf(priority) },
  }))
}

const toText = (items: readonly QueueItem[], delayMs: number): string => toJson(toRows(items, { delayMs, nowMs: 0 }))

/** The rows contain times relative to now. */
function insertItems(text: string): RawBuilder<unknown> {
  const now = databaseNow('postgres')
  return sql`insert into "queueItems"
    ("id", "kind", "subject", "lane", "dueAt", "attempts", "createdAt", "priority")
    select "id", "kind", "subject", "lane", ${now} + "dueAt", "attempts", ${now}, "priority"
    from json_populate_recordset(null::"queueItems", ${text}::json)`
}
