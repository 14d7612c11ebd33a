import type { MessageRow } from '../store/schema/message.ts'
import type { Session } from '../store/store.ts'
import { type MessageFilter, matchesTexts, needsTexts, selectMessages } from './message-filter.ts'

/** A page of messages. */
export interface MessagePage {
  /** The messages, newest first. */
  readonly rows: readonly MessageRow[]
  readonly hasMore: boolean
}

/** The maximum offset and count. */
const maxScanned = 50_000
const scanSize = 500

/**
 * Returns a page of a subscriber's in-app messages, newest first.
 *
 * @param page - Offset and limit.
 */
export async function listMessages(
  db: Session,
  filter: MessageFilter,
  page: { readonly offset: number; readonly limit: number },
): Promise<MessagePage> {
  const wanted = page.limit + 1
  const rows = needsTexts(filter)
    ? await loadRows(db, (await scan(db, filter, page.offset + wanted)).slice(page.offset))
    : await selectMessages(db, filter).selectAll().orderBy('id', 'desc').limit(wanted).offset(page.offset).execute()
  return { rows: rows.slice(0, page.limit), hasMore: rows.length > page.limit }
}

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

/** Returns the row ids of all messages that match a filter, newest first. */
export async function findMessageIds(db: Session, filter: MessageFilter): Promise<readonly string[]> {
  if (needsTexts(filter)) return scan(db, filter, maxScanned)
  const rows = await selectMessages(db, filter).select('id').orderBy('id', 'desc').limit(maxScanned).execute()
  return rows.map(({ id }) => id)
}

/** Checks messages one by one if a filter needs their documents, up to the limit. */
async function scan(db: Session, filter: MessageFilter, wanted: number): Promise<readonly string[]> {
  const matchingIds: string[] = []
  let afterId = filter.afterId
  for (let scanned = 0; scanned < maxScanned && matchingIds.length < wanted; scanned += scanSize) {
    const rows = await selectMessages(db, { ...filter, afterId })
      .select(['id', 'payload', 'data', 'tags', 'contextKeys'])
      .orderBy('id', 'desc')
      .limit(scanSize)
      .execute()
    matchingIds.push(...rows.filter((row) => matchesTexts(row, filter)).map(({ id }) => id))
    afterId = rows.at(-1)?.id
    if (rows.length < scanSize) break
  }
  return matchingIds.slice(0, wanted)
}

async function loadRows(db: Session, ids: readonly string[]): Promise<readonly MessageRow[]> {
  if (ids.length === 0) return []
  return db.selectFrom('messages').selectAll().where('id', 'in', ids).orderBy('id', 'desc').execute()
}
