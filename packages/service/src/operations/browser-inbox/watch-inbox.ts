import { isDeepStrictEqual } from 'node:util'
import type { JsonObject } from '@trestle/protocol'
import type { ServiceContext } from '../../context/service-context.ts'
import type { OpenStream } from '../../inbox/open-streams.ts'
import type { SubscriberSession } from '../../inbox/subscriber-session.ts'
import { countUnread, countUnseen } from '../../messages/count-unread.ts'
import { wakeMessages } from '../../messages/mark-messages.ts'
import type { InboxChangeRow } from '../../store/schema/inbox.ts'
import type { MessageRow } from '../../store/schema/message.ts'
import { toOwner } from '../inbox/inbox.ts'
import type { ServerSentEvent } from '../studio/event-stream.ts'

/** Above this number of changes, the stream sends a reset instead. */
const maxChanges = 200
/** Longer than any session, in milliseconds. */
const longestWaitMs = 2 * 3_600_000

export interface WatchOptions {
  /** The session of the inbox to watch. */
  readonly session: SubscriberSession
  /** The position of the last known change. @default now */
  readonly after?: number | undefined
  /** The stream to which the changes go; closed at the end. */
  readonly stream: OpenStream
  /** Returns messages in the client's format. */
  readonly show: (rows: readonly MessageRow[]) => Promise<readonly JsonObject[]>
}

/**
 * Yields changes to a subscriber's inbox, starting with the counts, until the session ends or the client disconnects.
 * Positions have no gaps, so no change is lost or repeated.
 */
export async function* watchInbox(
  context: ServiceContext,
  { session, after, stream, show }: WatchOptions,
): AsyncGenerator<ServerSentEvent, void, undefined> {
  const watcher = context.inboxFeed.watch(session.subscriber.id, stream.signal)
  try {
    let position = after ?? (await readPosition(context, session))
    let counts: JsonObject = {}
    while (!stream.signal.aborted) {
      await watcher.wait(await untilWoken(context, session))
      if (stream.signal.aborted || !(await isThere(context, session))) return
      const { events, position: next } = await readChanges(context, { session, position, show })
      position = next
      watcher.knows(position)
      yield* events
      const now = await readCounts(context, session)
      for (const [event, data] of Object.entries(now))
        if (!isDeepStrictEqual(counts[event], data)) yield { id: String(position), event, data }
      counts = now
    }
  } finally {
    watcher.close()
    stream.close()
  }
}

async function readPosition({ store }: ServiceContext, { subscriber }: SubscriberSession): Promise<number> {
  const row = await store.db
    .selectFrom('inboxPositions')
    .select('position')
    .where('subscriberId', '=', subscriber.id)
    .executeTakeFirst()
  return row?.position ?? 0
}

async function isThere({ store }: ServiceContext, { subscriber }: SubscriberSession): Promise<boolean> {
  const row = await store.db.selectFrom('subscribers').select('id').where('id', '=', subscriber.id).executeTakeFirst()
  return row !== undefined
}

/** Ends expired snoozes, each of which is a change, and returns the milliseconds until the next one expires. */
async function untilWoken(context: ServiceContext, { subscriber }: SubscriberSession): Promise<number> {
  const { store, clock } = context
  const next = await store.db
    .selectFrom('messages')
    .select((is) => is.fn.min('snoozedUntil').as('at'))
    .where('environmentId', '=', subscriber.environmentId)
    .where('subscriberId', '=', subscriber.id)
    .where('snoozedUntil', 'is not', null)
    .executeTakeFirst()
  const at = next?.at
  if (at == null) return longestWaitMs
  const leftMs = Number(at) - clock.now()
  if (leftMs > 0) return Math.min(leftMs, longestWaitMs)
  await store.repeatable((tx) => wakeMessages(tx, toOwner(subscriber), clock.now()))
  return 0
}

interface ReadOptions extends Pick<WatchOptions, 'session' | 'show'> {
  readonly position: number
}

interface ReadChanges {
  readonly events: readonly ServerSentEvent[]
  readonly position: number
}

async function readChanges(context: ServiceContext, options: ReadOptions): Promise<ReadChanges> {
  const { session, position } = options
  const newest = await readPosition(context, session)
  if (newest === position) return { events: [], position }
  const rows = await context.store.db
    .selectFrom('inboxChanges')
    .selectAll()
    .where('subscriberId', '=', session.subscriber.id)
    .where('position', '>', position)
    .orderBy('position')
    .limit(maxChanges + 1)
    .execute()
  // The changes were removed, are too many, or belong to a restored database.
  if (rows[0]?.position !== position + 1 || rows.length > maxChanges)
    return { events: [{ id: String(newest), event: 'notification_changed', data: { all: true } }], position: newest }
  const events = await toEvents(context, options, rows)
  return { events, position: rows.at(-1)?.position ?? position }
}

async function toEvents(
  { store }: ServiceContext,
  { session, show }: ReadOptions,
  changes: readonly InboxChangeRow[],
): Promise<readonly ServerSentEvent[]> {
  const events: ServerSentEvent[] = []
  for (const { position, kind, messageIds } of changes) {
    const ids: readonly string[] | null = messageIds === null ? null : JSON.parse(messageIds)
    const id = String(position)
    if (kind === 'changed' || ids === null) {
      events.push({ id, event: 'notification_changed', data: ids === null ? { all: true } : { ids } })
      continue
    }
    const rows = await store.db
      .selectFrom('messages')
      .selectAll()
      .where('id', 'in', ids)
      .where('subscriberId', '=', session.subscriber.id)
      .execute()
    for (const message of await show(rows)) events.push({ id, event: 'notification_received', data: { message } })
  }
  return events
}

async function readCounts({ store }: ServiceContext, { subscriber }: SubscriberSession): Promise<JsonObject> {
  const owner = toOwner(subscriber)
  return {
    unread_count_changed: { counts: await countUnread(store.db, owner) },
    unseen_count_changed: { unseenCount: await countUnseen(store.db, owner) },
  }
}
