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

/** Selects messages up to an id, so that later ones do not change. */
interface Selection extends MarkFilter {
  readonly upToId: string | undefined
}

/**
 * Creates the functions that change messages.
 *
 * @param newestId - Returns the id of the newest message that is shown, or an empty text if there are none; undefined if
 *   the newest messages that match the filter may not be loaded.
 */
export function createMarks(
  call: InboxApi['call'],
  store: NotificationStore,
  newestId: (filter: MarkFilter) => string | undefined,
): Marks {
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
  const postAll = async (name: string, filter: MarkFilter, change: changes.Change): Promise<void> => {
    // The request may be sent much later. It must not change messages that arrive in between.
    const selection = { ...filter, upToId: newestId(filter) }
    if (selection.upToId !== '') await post(name, changeSelected(selection, change), selection)
  }
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
    readAll: (filter = {}) => postAll('read', filter, changes.markRead),
    archiveAll: (filter = {}) => postAll('archive', filter, changes.archive),
    archiveAllRead: (filter = {}) =>
      postAll('read-archive', filter, (item) => (item.isRead ? changes.archive(item) : item)),
  }
}

const changeSelected =
  ({ tags, upToId }: Selection, change: changes.Change): changes.Change =>
  (item) =>
    !item.isArchived && !item.isSnoozed && !(upToId && item.id > upToId) && hasTag(item, tags) ? change(item) : item

/** Accepts that an earlier attempt or another device has deleted a message. */
function acceptMissing(error: unknown): void {
  if (!(error instanceof InboxError && error.status === 404)) throw error
}
