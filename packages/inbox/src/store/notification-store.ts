import { createListeners } from '../base/listeners.ts'
import type { InboxNotification } from '../wire/resources.ts'
import type { Change } from './change.ts'
import { createBaseCounts, type InboxCounts, moveCounts, type ServiceCounts } from './counts.ts'
import { createExclusions, type Exclusions } from './exclusions.ts'

/** State from the service, and local changes that are not confirmed yet. */
export interface NotificationStore {
  /** Calls a function after each change. */
  subscribe(listener: () => void): () => void
  /**
   * Returns all loaded messages including pending changes, newest first. It is the same array until something changes.
   */
  items(): readonly InboxNotification[]
  /** Returns the counts including pending changes. It is the same object until something changes. */
  counts(): InboxCounts
  /** Returns all loaded messages without pending changes. */
  confirmed(): Iterable<InboxNotification>
  /** Adds or replaces messages received from the service. */
  merge(items: readonly InboxNotification[]): void
  /** The messages that lists no longer contain. */
  readonly exclusions: Exclusions
  /** Sets the counts received from the service. */
  setCounts(counts: Partial<ServiceCounts>): void
  /**
   * Applies a change immediately. If `run` resolves, the returned messages replace the change; if it rejects, the
   * change is reverted.
   */
  apply(change: Change, run: () => Promise<readonly InboxNotification[]>): Promise<void>
}

/** Creates an empty store. */
export function createNotificationStore(): NotificationStore {
  const listeners = createListeners<void>()
  const loaded = new Map<string, InboxNotification>()
  const exclusions = createExclusions()
  const pending = new Set<Change>()
  const base = createBaseCounts()
  let cache: { items?: readonly InboxNotification[]; counts?: InboxCounts } = {}

  const touch = (): void => {
    cache = {}
    if (pending.size === 0) base.settle()
    listeners.emit()
  }
  const put = (id: string, item: InboxNotification | undefined): void => {
    const before = loaded.get(id)
    // Counts from the service are held back while changes are pending, so the base follows the messages.
    if (before && pending.size > 0) base.move(before, item)
    if (!item) loaded.delete(id)
    // Returns the same object for the same message, so that its view is not rendered again.
    else if (!before || JSON.stringify(before) !== JSON.stringify(item)) loaded.set(id, item)
  }
  const receive = (item: InboxNotification): void => {
    exclusions.clear(item.id)
    put(item.id, item)
  }
  return {
    subscribe: (listener) => listeners.add(listener),
    items() {
      cache.items ??= [...loaded.values()].flatMap((item) => withChanges(item, pending) ?? []).sort(byAge)
      return cache.items
    },
    counts() {
      const add = (sum: InboxCounts, item: InboxNotification) => moveCounts(sum, item, withChanges(item, pending))
      cache.counts ??= [...loaded.values()].reduce(add, base.value())
      return cache.counts
    },
    confirmed: () => loaded.values(),
    merge(added) {
      added.forEach(receive)
      touch()
    },
    exclusions,
    setCounts(added) {
      base.set(added)
      touch()
    },
    async apply(change, run) {
      pending.add(change)
      touch()
      try {
        const answers = await run()
        for (const [id, item] of [...loaded]) put(id, change(item))
        for (const item of answers) if (loaded.has(item.id)) receive(item)
      } finally {
        pending.delete(change)
        touch()
      }
    },
  }
}

function withChanges(item: InboxNotification, changes: Iterable<Change>): InboxNotification | undefined {
  let result: InboxNotification | undefined = item
  for (const change of changes) result = result && change(result)
  return result
}

const byAge = ({ id: one }: InboxNotification, { id: other }: InboxNotification): number => (one < other ? 1 : -1)
