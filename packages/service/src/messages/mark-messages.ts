import type { MessageRow } from '../store/schema/message.ts'
import type { Session } from '../store/store.ts'
import { findMessageIds } from './list-messages.ts'
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

/** Long lists are changed in batches, because databases limit the number of parameters. */
const batchSize = 500

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
  await wakeMessages(tx, filter, nowMs)
  const ids = await findMessageIds(tx, filter)
  const changedIds: string[] = []
  for (let start = 0; start < ids.length; start += batchSize) {
    const batch = {
      environmentId: filter.environmentId,
      subscriberId: filter.subscriberId,
      ids: ids.slice(start, start + batchSize),
    }
    const differing = Object.entries(flags) as readonly [keyof Flags, 0 | 1][]
    const updated = await tx
      .updateTable('messages')
      .set({ ...flags, ...times(nowMs), updatedAt: nowMs })
      .set((is) => Object.fromEntries(firstTimes.map((name) => [name, is.fn.coalesce(name, is.val(nowMs))])))
      .where((is) => is.and(toConditions(is, batch)))
      .where((is) => is.or(differing.map(([name, value]) => is(name, '!=', value))))
      .returning('id')
      .execute()
    changedIds.push(...updated.map(({ id }) => id))
  }
  await recordInboxChange(tx, filter, { kind: 'changed', ids: changedIds, nowMs })
  return changedIds.length
}

/** Ends expired snoozes: such a message becomes unread and is delivered again. */
export async function wakeMessages(
  tx: Session,
  filter: Pick<MessageFilter, 'environmentId' | 'subscriberId'>,
  nowMs: number,
): Promise<void> {
  const due = await tx
    .selectFrom('messages')
    .select(['id', 'snoozedUntil', 'deliveredAt', 'read', 'lastReadAt'])
    .where('environmentId', '=', filter.environmentId)
    .where('subscriberId', '=', filter.subscriberId)
    .where('snoozedUntil', '<=', nowMs)
    .execute()
  for (const { id, ...row } of due)
    await tx
      .updateTable('messages')
      .set({ ...wake(row, nowMs), updatedAt: nowMs })
      .where('id', '=', id)
      .where('snoozedUntil', '=', row.snoozedUntil)
      .execute()
  await recordInboxChange(tx, filter, { kind: 'changed', ids: due.map(({ id }) => id), nowMs })
}
