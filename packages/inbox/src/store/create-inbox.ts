import { createListeners } from '../base/listeners.ts'
import { createApi } from '../wire/api.ts'
import { checkOptions, type InboxOptions } from '../wire/inbox-options.ts'
import { type ConnectionStatus, type InboxEvents, openConnection } from './connection.ts'
import type { InboxCounts } from './counts.ts'
import { createMarks, type MarkFilter, type Marks } from './marks.ts'
import { type NotificationFilter, toKey } from './notification-filter.ts'
import { createList, type ManagedList, type NotificationList } from './notification-list.ts'
import { createNotificationStore } from './notification-store.ts'
import { createPreferences, type Preferences } from './preference-store.ts'
import { createRetry } from './retry.ts'

/** A snapshot of an inbox. It is the same object until something changes. */
export interface InboxSnapshot {
  /** The status of live updates. */
  readonly status: ConnectionStatus
  /** Why they do not arrive. */
  readonly error: unknown
  /** Counts of unread and unseen messages. */
  readonly counts: InboxCounts
}

/** The inbox of a subscriber. */
export interface Inbox extends Marks {
  /** Calls a function after each change of the snapshot. Returns a function that unsubscribes. */
  subscribe(listener: () => void): () => void
  /** Returns the current snapshot, with counts and status. */
  getSnapshot(): InboxSnapshot
  /**
   * Returns the list for a filter; always the same list for the same filter. Without a filter, it contains messages
   * that are neither archived nor snoozed.
   */
  list(filter?: NotificationFilter): NotificationList
  /** The preferences, which are loaded when the first listener is added. */
  readonly preferences: Preferences
  /** Calls a function for each event with this name. Returns a function that unsubscribes. */
  on<Name extends keyof InboxEvents>(name: Name, listener: (event: InboxEvents[Name]) => void): () => void
  /** Closes the connection and aborts all requests. The inbox cannot be used afterwards. */
  close(): void
}

/** Changes within this time are fetched together, in milliseconds. */
const gatherMs = 100

const current: NotificationFilter = { archived: false, snoozed: false }

/**
 * Opens a subscriber's inbox: lists, counts and preferences that stay in sync with the service.
 *
 * @param options - The environment and the subscriber.
 * @throws InboxError `OptionsInvalid` if an option is missing or invalid.
 *
 * @example
 * const inbox = createInbox({ applicationIdentifier, subscriber: 'ada', subscriberHash, url })
 * inbox.subscribe(() => console.log(inbox.getSnapshot().counts.unread))
 */
export function createInbox(options: InboxOptions): Inbox {
  const closing = new AbortController()
  const { signal } = closing
  const api = createApi(checkOptions(options), signal)
  const store = createNotificationStore()
  const lists = new Map<string, ManagedList>()
  const listeners = createListeners<void>()
  const connection = openConnection(api, signal)
  const retry = createRetry(connection.whenOnline, signal)
  let snapshot: InboxSnapshot | undefined

  const touch = (): void => {
    snapshot = undefined
    listeners.emit()
  }
  const resync = gather((ids) => {
    for (const list of lists.values()) void list.resync(ids)
  }, signal)
  store.subscribe(touch)
  connection.on('status_changed', touch)
  connection.on('unread_count_changed', ({ counts }) => store.setCounts({ unread: counts }))
  connection.on('unseen_count_changed', ({ unseenCount }) => store.setCounts({ unseen: unseenCount }))
  connection.on('notification_changed', ({ ids }) => resync(ids))
  connection.on('notification_received', ({ message }) => {
    for (const { receive } of lists.values()) receive(message.id)
    store.merge([message])
  })
  const newestId = (filter: MarkFilter): string | undefined => {
    const loaded = [...lists.values()].find(({ covers }) => covers({ ...filter, ...current }))
    return loaded && (loaded.list.getSnapshot().items[0]?.id ?? '')
  }
  return {
    subscribe: (listener) => listeners.add(listener),
    getSnapshot() {
      snapshot ??= { status: connection.status(), error: connection.error(), counts: store.counts() }
      return snapshot
    },
    list(filter = current) {
      const key = toKey(filter)
      const managed = lists.get(key) ?? createList({ api, store, retry }, filter)
      if (!lists.has(key)) {
        lists.set(key, managed)
        void managed.resync()
      }
      return managed.list
    },
    preferences: createPreferences(api, retry),
    on: connection.on,
    ...createMarks((request) => retry(() => api.call(request)), store, newestId),
    close: () => closing.abort(),
  }
}

/** Returns a function that batches the ids of calls within a short time; a call without ids refetches all messages. */
function gather(
  work: (ids: readonly string[] | undefined) => void,
  signal: AbortSignal,
): (ids: readonly string[] | undefined) => void {
  const gathered = new Set<string>()
  let isAll = false
  let timer: ReturnType<typeof setTimeout> | undefined
  signal.addEventListener('abort', () => clearTimeout(timer))
  return (ids) => {
    for (const id of ids ?? []) gathered.add(id)
    isAll ||= ids === undefined
    timer ??= setTimeout(() => {
      const all = isAll ? undefined : [...gathered]
      timer = undefined
      isAll = false
      gathered.clear()
      work(all)
    }, gatherMs)
  }
}
