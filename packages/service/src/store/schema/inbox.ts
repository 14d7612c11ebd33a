import type { Id, JsonText, Millis } from './column.ts'

/** The position of the last change to a subscriber's inbox. */
export interface InboxPositionRow {
  /** Primary key. */
  subscriberId: Id
  /** The environment it belongs to. */
  environmentId: Id
  /** The position; incremented by each change. */
  position: number
}

/** A change to a subscriber's inbox, kept as long as streams can resume from it. */
export interface InboxChangeRow {
  /** The subscriber. Primary key with the position. */
  subscriberId: Id
  position: number
  /** The environment it belongs to. */
  environmentId: Id
  /** Whether the messages were added, changed or removed. */
  kind: 'received' | 'changed'
  /** Row ids of the messages, a list; `null` if there are too many. */
  messageIds: JsonText | null
  /** When it happened. */
  createdAt: Millis
}
