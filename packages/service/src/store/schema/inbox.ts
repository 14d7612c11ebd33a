import type { Id, JsonText, Millis } from './column.ts'

/** The position of the last change in the inbox of a subscriber. */
export interface InboxPositionRow {
  /** Primary key. */
  subscriberId: Id
  /** The environment it belongs to. */
  environmentId: Id
  /** The position; grows by one with each change. */
  position: number
}

/** A change in the inbox of a subscriber, kept as long as streams resume. */
export interface InboxChangeRow {
  /** The subscriber. Primary key with the position. */
  subscriberId: Id
  /** Its position. */
  position: number
  /** The environment it belongs to. */
  environmentId: Id
  /** Whether messages are new, or were changed or removed. */
  kind: 'received' | 'changed'
  /** Row ids of the messages, a list; `null` for many. */
  messageIds: JsonText | null
  /** When it happened. */
  createdAt: Millis
}
