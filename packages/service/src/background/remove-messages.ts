import { recordInboxChange } from '../messages/record-inbox-change.ts'
import type { MessageRow } from '../store/schema/message.ts'
import { groupBy } from '../store/shared/row-list.ts'
import type { Session } from '../store/store.ts'

/**
 * Deletes messages with their outbox items and delivery reports.
 *
 * @param ids - The row ids; a few hundred at most, because databases limit the number of parameters.
 * @returns The deleted messages.
 */
export async function deleteMessages(
  tx: Session,
  ids: readonly string[],
): Promise<readonly Pick<MessageRow, 'id' | 'environmentId' | 'subscriberId' | 'channel'>[]> {
  if (ids.length === 0) return []
  for (const table of ['outbox', 'deliveryReports'] as const)
    await tx.deleteFrom(table).where('messageId', 'in', ids).execute()
  return tx
    .deleteFrom('messages')
    .where('id', 'in', ids)
    .returning(['id', 'environmentId', 'subscriberId', 'channel'])
    .execute()
}

/**
 * Deletes messages like {@link deleteMessages}, and records the change in the inboxes of their recipients.
 *
 * @param nowMs - The time of the change, in milliseconds since 1970.
 */
export async function removeMessages(tx: Session, ids: readonly string[], nowMs: number): Promise<void> {
  const inApp = (await deleteMessages(tx, ids)).filter(({ channel }) => channel === 'in_app')
  const owners = groupBy(inApp, ({ subscriberId }) => subscriberId)
  // Transactions that lock rows in the same order cannot deadlock.
  for (const [, rows] of [...owners].toSorted(([left], [right]) => (left < right ? -1 : 1)))
    if (rows[0]) await recordInboxChange(tx, rows[0], { kind: 'changed', ids: rows.map(({ id }) => id), nowMs })
}
