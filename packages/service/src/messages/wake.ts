import type { JsonText } from '../store/schema/column.ts'
import type { MessageRow } from '../store/schema/message.ts'

/** The columns that change when a snooze ends. */
export type Wakeable = Pick<MessageRow, 'snoozedUntil' | 'deliveredAt' | 'read' | 'lastReadAt'>

/** A message can be snoozed any number of times. */
const maxTimes = 100

/**
 * Returns the times at which a message reached the inbox, with one more; the oldest are dropped.
 *
 * @param deliveredAt - A list of times.
 * @param atMs - The time to add, in milliseconds since 1970.
 */
export function addDelivery(deliveredAt: JsonText, atMs: number): JsonText {
  const times: readonly number[] = JSON.parse(deliveredAt)
  return JSON.stringify([...times, atMs].slice(-maxTimes))
}

/**
 * Returns a message as of a given time. If its snooze has expired, it is unread and delivered again, even if its row
 * was not yet changed because nothing has read the inbox since.
 *
 * @param nowMs - The time, in milliseconds since 1970.
 */
export function wake<TRow extends Wakeable>(row: TRow, nowMs: number): TRow {
  const { snoozedUntil, deliveredAt } = row
  if (snoozedUntil === null || snoozedUntil > nowMs) return row
  return {
    ...row,
    snoozedUntil: null,
    deliveredAt: addDelivery(deliveredAt, snoozedUntil),
    read: 0,
    lastReadAt: null,
  }
}
