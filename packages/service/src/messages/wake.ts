import type { MessageRow } from '../store/schema/message.ts'

/** The columns that change when a snooze ends. */
export type Wakeable = Pick<MessageRow, 'snoozedUntil' | 'deliveredAt' | 'read' | 'lastReadAt'>

/**
 * Returns a message as of a given time. If its snooze has expired, it is unread and delivered again, even if its row
 * was not yet changed because nothing has read the inbox since.
 *
 * @param nowMs - The time, in milliseconds since 1970.
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
