import { createListeners } from '../base/listeners.ts'
import type { InboxApi } from '../wire/api.ts'
import type { InboxNotification } from '../wire/resources.ts'
import { createLoader, type ListLoader, type LoadingState } from './list-loader.ts'
import { createPages } from './list-pages.ts'
import { type NotificationFilter, toKey } from './notification-filter.ts'
import type { NotificationStore } from './notification-store.ts'
import type { Retry } from './retry.ts'

/** A snapshot of a list. It is the same object until something changes. */
export interface NotificationListSnapshot extends LoadingState {
  /** The loaded messages, newest first. */
  readonly items: readonly InboxNotification[]
  /** The number of messages that arrived while the list was on hold. They are not in `items`. */
  readonly newCount: number
  /** Whether there are older messages. */
  readonly hasMore: boolean
}

/** A list of messages that match a filter. */
export interface NotificationList {
  /**
   * Calls a function after each change. Returns a function that unsubscribes. After the last one has unsubscribed, the
   * list is only updated when the next one subscribes.
   */
  subscribe(listener: () => void): () => void
  /** Returns the current snapshot. */
  getSnapshot(): NotificationListSnapshot
  /** Loads older messages, or retries if loading failed. Resolves when loading has succeeded or failed. */
  loadMore(): Promise<void>
  /** Keeps new messages out of `items` until `showNew`, so that nothing moves while someone reads. */
  hold(): void
  /** Shows the messages that have arrived; future ones are shown immediately. */
  showNew(): void
}

/** A list with the functions that update it. */
export interface ManagedList extends Pick<ListLoader, 'resync'> {
  readonly list: NotificationList
  /** Handles the arrival of a new message. */
  receive(id: string): void
  /** Returns whether the newest messages of a selection are loaded: the list has no other filters. */
  covers(selection: NotificationFilter): boolean
}

interface ListSource {
  readonly api: InboxApi
  readonly store: NotificationStore
  readonly retry: Retry
}

/** Creates a list based on the store. */
export function createList({ api, store, retry }: ListSource, filter: NotificationFilter): ManagedList {
  const listeners = createListeners<void>()
  const held = new Set<string>()
  let isHolding = false
  let wasShown = false
  let isOutdated = false
  let source: readonly InboxNotification[] | undefined
  let snapshot: NotificationListSnapshot | undefined

  const touch = (): void => {
    snapshot = undefined
    listeners.emit()
  }
  const pages = createPages(api, store, filter)
  const loader = createLoader(pages, retry, touch)
  const getSnapshot = (): NotificationListSnapshot => {
    if (snapshot && source === store.items()) return snapshot
    source = store.items()
    const matching = pages.items()
    const items = matching.filter(({ id }) => !held.has(id))
    snapshot = { ...loader.state(), items, newCount: matching.length - items.length, hasMore: pages.hasMore() }
    return snapshot
  }
  store.subscribe(() => listeners.emit())
  const list: NotificationList = {
    subscribe(listener) {
      wasShown = true
      if (isOutdated) void loader.resync()
      isOutdated = false
      return listeners.add(listener)
    },
    getSnapshot,
    loadMore: loader.loadMore,
    hold() {
      isHolding = true
    },
    showNew() {
      isHolding = false
      if (held.size === 0) return
      held.clear()
      touch()
    },
  }
  return {
    list,
    async resync(ids) {
      isOutdated = wasShown && listeners.isEmpty()
      if (!isOutdated) await loader.resync(ids)
    },
    receive(id) {
      if (isHolding) held.add(id)
    },
    covers: (selection) =>
      (pages.hasMore() || pages.isComplete()) && toKey({ ...selection, ...filter }) === toKey(selection),
  }
}
