import { createListeners } from '../base/listeners.ts'
import { createQueue } from '../base/queue.ts'
import type { InboxApi } from '../wire/api.ts'
import type { InboxNotification } from '../wire/resources.ts'
import { createPages } from './list-pages.ts'
import type { NotificationFilter } from './notification-filter.ts'
import type { NotificationStore } from './notification-store.ts'

/** A snapshot of a list. It is the same object until something changes. */
export interface NotificationListSnapshot {
  /** `loading` until the first page has arrived, and while another page is being loaded. */
  readonly status: 'loading' | 'ready' | 'failed'
  /** The loaded messages, newest first. */
  readonly items: readonly InboxNotification[]
  /** The number of messages that arrived while the list was on hold. They are not in `items`. */
  readonly newCount: number
  /** Whether there are older messages. */
  readonly hasMore: boolean
  /** Why loading failed. */
  readonly error: unknown
}

/** A list of messages that match a filter. */
export interface NotificationList {
  /** Calls a function after each change. Returns a function that unsubscribes. */
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
export interface ManagedList {
  readonly list: NotificationList
  /** Refetches the loaded messages, or those around some ids. */
  resync(ids?: readonly string[]): Promise<void>
  /** Handles the arrival of a new message. */
  receive(id: string): void
}

/** Creates a list based on the store. */
export function createList(api: InboxApi, store: NotificationStore, filter: NotificationFilter): ManagedList {
  const listeners = createListeners<void>()
  const held = new Set<string>()
  let isHolding = false
  const pages = createPages(api, store, filter)
  let state: Pick<NotificationListSnapshot, 'status' | 'error'> = { status: 'loading', error: undefined }
  let source: readonly InboxNotification[] | undefined
  let snapshot: NotificationListSnapshot | undefined

  const touch = (): void => {
    snapshot = undefined
    listeners.emit()
  }
  const getSnapshot = (): NotificationListSnapshot => {
    if (snapshot && source === store.items()) return snapshot
    source = store.items()
    const matching = pages.items()
    const items = matching.filter(({ id }) => !held.has(id))
    snapshot = { ...state, items, newCount: matching.length - items.length, hasMore: pages.hasMore() }
    return snapshot
  }
  const queue = createQueue()
  const run = (work: () => Promise<void>): Promise<void> =>
    queue(async () => {
      try {
        await work()
        state = { status: 'ready', error: undefined }
      } catch (error) {
        state = { status: 'failed', error }
      }
      touch()
    })
  store.subscribe(() => listeners.emit())
  const list: NotificationList = {
    subscribe: (listener) => listeners.add(listener),
    getSnapshot,
    async loadMore() {
      const hasFailed = state.status === 'failed'
      if (state.status === 'loading' || (pages.isComplete() && !hasFailed)) return
      state = { ...state, status: 'loading' }
      touch()
      await run(() => (hasFailed ? pages.readAgain() : pages.readMore()))
    },
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
    resync: (ids) => run(() => pages.readAgain(ids)),
    receive(id) {
      if (isHolding) held.add(id)
    },
  }
}
