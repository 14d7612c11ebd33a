import type { RawBuilder, SqlBool } from 'kysely'
import type { MessageRow } from '../store/schema/message.ts'
import type { Session } from '../store/store.ts'
import { type MessageFilter, matchesTexts, needsTexts, selectMessages } from './message-filter.ts'
import { type InboxRow, inboxColumns } from './to-message.ts'

/** A page of messages. */
export interface MessagePage<TRow = MessageRow> {
  /** The messages, newest first. */
  readonly rows: readonly TRow[]
  readonly hasMore: boolean
}

/** The maximum offset and count. */
const maxScanned = 50_000
const minBatch = 20
const maxBatch = 500
/** Payloads and data can be large. */
const maxDocuments = 100

/** The requested part of a list. */
export interface PageQuery {
  readonly offset: number
  readonly limit: number
  /** Called with the row ids before the messages are read. It throws to refuse them. @default not called */
  readonly check?: (ids: readonly string[]) => Promise<void>
}

/** Returns a page of a subscriber's in-app messages, newest first. */
export async function listMessages(db: Session, filter: MessageFilter, page: PageQuery): Promise<MessagePage> {
  const { ids, hasMore } = await listIds(db, filter, page)
  if (ids.length === 0) return { rows: [], hasMore }
  return { rows: await selectByIds(db, ids).selectAll().execute(), hasMore }
}

/** Returns a page of a subscriber's in-app messages, newest first, without payloads and overrides. */
export async function listInboxRows(
  db: Session,
  filter: MessageFilter,
  page: PageQuery,
): Promise<MessagePage<InboxRow>> {
  const { ids, hasMore } = await listIds(db, filter, page)
  if (ids.length === 0) return { rows: [], hasMore }
  return { rows: await selectByIds(db, ids).select(inboxColumns).execute(), hasMore }
}

async function listIds(db: Session, filter: MessageFilter, { offset, limit, check }: PageQuery) {
  const listedIds = await selectIds(db, filter, { offset, limit: limit + 1 })
  const ids = listedIds.slice(0, limit)
  await check?.(ids)
  return { ids, hasMore: listedIds.length > limit }
}

async function selectIds(
  db: Session,
  filter: MessageFilter,
  { offset = 0, limit }: { readonly offset?: number; readonly limit: number },
): Promise<readonly string[]> {
  if (needsTexts(filter)) return (await scan(db, filter, offset + limit)).slice(offset)
  const query = selectMessages(db, filter).select('id').orderBy('id', 'desc')
  return (await query.limit(limit).offset(offset).execute()).map(({ id }) => id)
}

const selectByIds = (db: Session, ids: readonly string[]) =>
  db.selectFrom('messages').where('id', 'in', ids).orderBy('id', 'desc')

/**
 * Returns the number of messages, up to a limit.
 *
 * @param limit - The maximum count. @default 50000
 */
export async function countMessages(db: Session, filter: MessageFilter, limit: number = maxScanned): Promise<number> {
  if (needsTexts(filter)) return (await scan(db, filter, limit)).length
  const row = await db
    .selectFrom(selectMessages(db, filter).select('id').limit(limit).as('found'))
    .select((is) => is.fn.countAll().as('count'))
    .executeTakeFirstOrThrow()
  return Number(row.count)
}

/** Returns the row ids of the messages that match a filter, newest first: at most 50,000. */
export function findMessageIds(db: Session, filter: MessageFilter): Promise<readonly string[]> {
  return selectIds(db, filter, { limit: maxScanned })
}

/**
 * Yields the row ids of all messages that match a filter, newest first, in batches. The caller may change the messages
 * of a batch before it requests the next one.
 *
 * @param condition - Another condition of the messages.
 */
export async function* readIdBatches(
  db: Session,
  filter: MessageFilter,
  condition: RawBuilder<SqlBool>,
): AsyncGenerator<readonly string[], void, undefined> {
  let { afterId } = filter
  for (;;) {
    const batch = await readBatch(db, { ...filter, afterId }, { size: maxBatchOf(filter), condition })
    if (batch.ids.length > 0) yield batch.ids
    if (batch.isLast) return
    afterId = batch.lastId
  }
}

/** Checks messages one by one if a filter needs their documents, up to the limit. */
async function scan(db: Session, filter: MessageFilter, wanted: number): Promise<readonly string[]> {
  const matchingIds: string[] = []
  let { afterId } = filter
  // The database has already excluded most other messages, so one batch of this size is usually enough.
  let size = Math.min(Math.max(wanted, minBatch), maxBatchOf(filter))
  let scanned = 0
  while (scanned < maxScanned && matchingIds.length < wanted) {
    const batch = await readBatch(db, { ...filter, afterId }, { size })
    matchingIds.push(...batch.ids)
    if (batch.isLast) break
    afterId = batch.lastId
    scanned += size
    size = Math.min(2 * size, maxBatchOf(filter))
  }
  return matchingIds.slice(0, wanted)
}

interface IdBatch {
  /** The row ids of the messages that match. */
  readonly ids: readonly string[]
  /** Row id of the last message that was read. */
  readonly lastId: string | undefined
  readonly isLast: boolean
}

const blank = { payload: '{}', data: null, tags: '[]', contextKeys: '[]' } as const

/** Reads only the documents that the filter compares. */
async function readBatch(
  db: Session,
  filter: MessageFilter,
  { size, condition }: { readonly size: number; readonly condition?: RawBuilder<SqlBool> },
): Promise<IdBatch> {
  const query = selectMessages(db, filter)
  const rows = await (condition ? query.where(condition) : query)
    .select(['id', ...documentsOf(filter)])
    .orderBy('id', 'desc')
    .limit(size)
    .execute()
  const ids = rows.filter((row) => matchesTexts({ ...blank, ...row }, filter)).map(({ id }) => id)
  return { ids, lastId: rows.at(-1)?.id, isLast: rows.length < size }
}

function documentsOf({ payload = {}, data = {}, tags = [], contextKeys = [] }: MessageFilter) {
  const compared = { payload, data, tags, contextKeys }
  const names = ['payload', 'data', 'tags', 'contextKeys'] as const
  return names.filter((name) => Object.keys(compared[name]).length > 0)
}

const maxBatchOf = (filter: MessageFilter): number =>
  documentsOf(filter).some((name) => name === 'payload' || name === 'data') ? maxDocuments : maxBatch
