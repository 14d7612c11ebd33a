import { type SqlBool, sql } from 'kysely'
import type { MessageRow } from '../store/schema/message.ts'
import type { Session } from '../store/store.ts'
import { readIdBatches } from './list-messages.ts'
import { type MessageFilter, toConditions } from './message-filter.ts'
import { recordInboxChange } from './record-inbox-change.ts'
import { wake } from './wake.ts'

/** A recipient's action on messages. */
export type Mark = 'read' | 'unread' | 'seen' | 'unseen' | 'archive' | 'unarchive'

type Flags = Partial<Pick<MessageRow, 'read' | 'seen' | 'archived'>>
type Times = Partial<Pick<MessageRow, 'lastReadAt' | 'lastSeenAt' | 'archivedAt'>>

type FirstTime = 'firstSeenAt' | 'lastSeenAt' | 'lastReadAt'

interface MarkChange {
  readonly flags: Flags
  readonly times: (nowMs: number) => Times
  /** The times that are only set if they are absent. */
  readonly firstTimes?: readonly FirstTime[]
}

/** The column changes of each action: a read message counts as seen, an unseen one as unread. */
const marks: Readonly<Record<Mark, MarkChange>> = {
  read: {
    flags: { read: 1, seen: 1 },
    times: (nowMs) => ({ lastReadAt: nowMs, lastSeenAt: nowMs }),
    firstTimes: ['firstSeenAt'],
  },
  unread: {
    flags: { read: 0, seen: 1 },
    times: () => ({ lastReadAt: null }),
    firstTimes: ['firstSeenAt', 'lastSeenAt'],
  },
  seen: { flags: { seen: 1 }, times: (nowMs) => ({ lastSeenAt: nowMs }), firstTimes: ['firstSeenAt'] },
  unseen: { flags: { read: 0, seen: 0 }, times: () => ({ lastReadAt: null, lastSeenAt: null }) },
  archive: {
    flags: { archived: 1, read: 1, seen: 1 },
    times: (nowMs) => ({ archivedAt: nowMs }),
    firstTimes: ['firstSeenAt', 'lastSeenAt', 'lastReadAt'],
  },
  unarchive: { flags: { archived: 0 }, times: () => ({ archivedAt: null }) },
}

/** The maximum number of snoozes that a call ends. */
const maxWoken = 500

/**
 * Marks a subscriber's in-app messages, except those already in that state. Ends expired snoozes first, because ending
 * them later would make the marked messages unread.
 *
 * @param change - The mark and the time.
 * @returns The number of changed messages.
 */
export async function markMessages(
  tx: Session,
  filter: MessageFilter,
  { mark, nowMs }: { readonly mark: Mark; readonly nowMs: number },
): Promise<number> {
  const { flags, times, firstTimes = [] } = marks[mark]
  while ((await wakeMessages(tx, filter, nowMs)) === maxWoken);
  const { environmentId, subscriberId } = filter
  const differs = sql<SqlBool>`(${sql.join(
    Object.entries(flags).map(([name, value]) => sql`${sql.ref(name)} <> ${value}`),
    sql` or `,
  )})`
  const changedIds: string[] = []
  for await (const ids of readIdBatches(tx, filter, differs)) {
    const updated = await tx
      .updateTable('messages')
      .set({ ...flags, ...times(nowMs), updatedAt: nowMs })
      .set((is) => Object.fromEntries(firstTimes.map((name) => [name, is.fn.coalesce(name, is.val(nowMs))])))
      .where((is) => is.and(toConditions(is, { environmentId, subscriberId, ids })))
      .where(differs)
      .returning('id')
      .execute()
    changedIds.push(...updated.map(({ id }) => id))
  }
  await recordInboxChange(tx, filter, { kind: 'changed', ids: changedIds, nowMs })
  return changedIds.length
}

/**
 * Ends up to 500 expired snoozes, oldest first: such a message becomes unread and is delivered again.
 *
 * @returns The number of ended snoozes. If there are 500, the next call ends others.
 */
export async function wakeMessages(
  tx: Session,
  filter: Pick<MessageFilter, 'environmentId' | 'subscriberId'>,
  nowMs: number,
): Promise<number> {
  const due = await tx
    .selectFrom('messages')
    .select(['id', 'snoozedUntil', 'deliveredAt', 'read', 'lastReadAt'])
    .where('environmentId', '=', filter.environmentId)
    .where('subscriberId', '=', filter.subscriberId)
    .where('snoozedUntil', '<=', nowMs)
    .orderBy('snoozedUntil')
    .limit(maxWoken)
    .execute()
  for (const { id, ...row } of due)
    await tx
      .updateTable('messages')
      .set({ ...wake(row, nowMs), updatedAt: nowMs })
      .where('id', '=', id)
      .where('snoozedUntil', '=', row.snoozedUntil)
      .execute()
  await recordInboxChange(tx, filter, { kind: 'changed', ids: due.map(({ id }) => id), nowMs })
  return due.length
}
