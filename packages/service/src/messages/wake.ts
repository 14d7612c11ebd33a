import type { MessageRow } from '../store/schema/message.ts'

/** The columns that the end of a snooze changes. */
export type Wakeable = Pick<MessageRow, 'snoozedUntil' | 'deliveredAt' | 'read' | 'lastReadAt'>

/**
 * Returns a message as it is at a time. One whose snooze is over is unread again and was delivered once more, also where
 * nobody has looked at the inbox since, which is when the row is changed.
 *
 * @param row - The message.
 * @param nowMs - The time, milliseconds since 1970.
 */
export function wake<TRow extends Wakeable>(row: TRow, nowMs: number): TRow {
  const { snoozedUntil, deliveredAt } = row
  if (snoozedUntil === null || snoozedUntil > nowMs) return row
  const times: readonly number[] = JSON.parse(deliveredAt)
  return {
    ...row,
    snoozedUntil: null,
    deliveredAt: JSON.stringify([...times, snoozedUntil]),
    read: 0,
    lastReadAt: null,
  }
}
