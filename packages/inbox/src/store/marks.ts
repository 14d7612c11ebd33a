import { InboxError } from '../base/inbox-error.ts'
import { createQueue } from '../base/queue.ts'
import type { InboxApi, InboxRequest } from '../wire/api.ts'
import type { InboxNotification } from '../wire/resources.ts'
import * as changes from './change.ts'
import { hasTag } from './notification-filter.ts'
import type { NotificationStore } from './notification-store.ts'

/** Selects the messages of a bulk change. */
export interface MarkFilter {
  /** Messages with one of these tags; an empty list is ignored. */
  readonly tags?: readonly string[]
}

/**
 * Changes to messages. They are displayed immediately. If the service rejects one, it is reverted and the promise
 * rejects.
 */
export interface Marks {
  read(id: string): Promise<void>
  unread(id: string): Promise<void>
  archive(id: string): Promise<void>
  unarchive(id: string): Promise<void>
  /** Snoozes a message until a time. */
  snooze(id: string, until: Date): Promise<void>
  unsnooze(id: string): Promise<void>
  /** Marks a button as used. */
  complete(id: string, action: 'primary' | 'secondary'): Promise<void>
  /** Marks a button as not used. */
  revert(id: string, action: 'primary' | 'secondary'): Promise<void>
  /** Deletes a message. */
  delete(id: string): Promise<void>
  /** Marks messages as seen after they were displayed. */
  seen(ids: readonly string[]): Promise<void>
  readAll(filter?: MarkFilter): Promise<void>
  archiveAll(filter?: MarkFilter): Promise<void>
  /** Archives all read messages. */
  archiveAllRead(filter?: MarkFilter): Promise<void>
}

export function createMarks(call: InboxApi['call'], store: NotificationStore): Marks {
  // A retried change must not overtake or undo a later one.
  const queue = createQueue()
  const send = <Body>(request: InboxRequest, key?: string): Promise<Body> => queue(() => call<Body>(request), key)
  const patch = (
    id: string,
    change: changes.Change,
    [name, body]: readonly [name: string, body?: unknown],
  ): Promise<void> =>
    store.apply(changes.changeOf(id, change), async () => {
      const path = `/notifications/${encodeURIComponent(id)}/${name}`
      const { data } = await send<{ data: InboxNotification }>({ method: 'PATCH', path, body }, id)
      return [data]
    })
  const post = (name: string, change: changes.Change, body: object): Promise<void> =>
    store.apply(change, async () => {
      // A seen message never becomes unseen, so these requests need not wait for others.
      await send({ method: 'POST', path: `/notifications/${name}`, body }, name === 'seen' ? name : undefined)
      return []
    })
  const ofFilter =
    ({ tags }: MarkFilter, change: changes.Change): changes.Change =>
    (item) =>
      !item.isArchived && !item.isSnoozed && hasTag(item, tags) ? change(item) : item
  return {
    read: (id) => patch(id, changes.markRead, ['read']),
    unread: (id) => patch(id, changes.markUnread, ['unread']),
    archive: (id) => patch(id, changes.archive, ['archive']),
    unarchive: (id) => patch(id, changes.unarchive, ['unarchive']),
    snooze: (id, until) => {
      const snoozeUntil = until.toISOString()
      return patch(id, changes.snooze(snoozeUntil), ['snooze', { snoozeUntil }])
    },
    unsnooze: (id) => patch(id, changes.unsnooze, ['unsnooze']),
    complete: (id, actionType) => patch(id, changes.setCompleted(actionType, true), ['complete', { actionType }]),
    revert: (id, actionType) => patch(id, changes.setCompleted(actionType, false), ['revert', { actionType }]),
    delete: (id) =>
      store.apply(changes.changeOf(id, changes.remove), async () => {
        const path = `/notifications/${encodeURIComponent(id)}/delete`
        await send({ method: 'DELETE', path }, id).catch(acceptMissing)
        return []
      }),
    seen: async (ids) => {
      const wanted = new Set(ids)
      const unseen = store.items().flatMap((item) => (wanted.has(item.id) && !item.isSeen ? [item.id] : []))
      if (unseen.length === 0) return
      await post('seen', (item) => (wanted.has(item.id) ? changes.markSeen(item) : item), { notificationIds: unseen })
    },
    readAll: (filter = {}) => post('read', ofFilter(filter, changes.markRead), filter),
    archiveAll: (filter = {}) => post('archive', ofFilter(filter, changes.archive), filter),
    archiveAllRead: (filter = {}) =>
      post(
        'read-archive',
        ofFilter(filter, (item) => (item.isRead ? changes.archive(item) : item)),
        filter,
      ),
  }
}

/** Accepts that an earlier attempt or another device has deleted a message. */
function acceptMissing(error: unknown): void {
  if (!(error instanceof InboxError && error.status === 404)) throw error
}
