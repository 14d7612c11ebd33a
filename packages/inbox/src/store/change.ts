import type { InboxNotification } from '../wire/resources.ts'

/** Returns the changed message, or undefined if it is deleted. An unaffected message is returned unchanged. */
export type Change = (item: InboxNotification) => InboxNotification | undefined

const now = (): string => new Date().toISOString()

/** Returns a change of the message with an id. */
export const changeOf =
  (id: string, change: Change): Change =>
  (item) =>
    item.id === id ? change(item) : item

export const markRead: Change = (item) => (item.isRead ? item : { ...item, isRead: true, isSeen: true, readAt: now() })

export const markUnread: Change = (item) => (item.isRead ? { ...item, isRead: false, readAt: null } : item)

export const markSeen: Change = (item) => (item.isSeen ? item : { ...item, isSeen: true })

/** Archives a message and marks it as read. */
export const archive: Change = (item) => (item.isArchived ? item : { ...markReadOf(item), isArchived: true })

/** Moves a message out of the archive. */
export const unarchive: Change = (item) => (item.isArchived ? { ...item, isArchived: false } : item)

export const remove: Change = () => undefined

/** Snoozes a message until a time. */
export const snooze =
  (snoozedUntil: string): Change =>
  (item) => ({ ...item, isSnoozed: true, snoozedUntil })

export const unsnooze: Change = (item) => (item.isSnoozed ? { ...item, isSnoozed: false, snoozedUntil: null } : item)

/** Marks a button as used or not used. */
export const setCompleted =
  (type: 'primary' | 'secondary', isCompleted: boolean): Change =>
  (item) => {
    const name = `${type}Action` as const
    const action = item[name]
    return action ? { ...item, [name]: { ...action, isCompleted } } : item
  }

const markReadOf = (item: InboxNotification): InboxNotification => markRead(item) ?? item
