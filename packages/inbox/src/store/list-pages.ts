import type { InboxApi } from '../wire/api.ts'
import type { InboxNotification } from '../wire/resources.ts'
import { matchesFilter, type NotificationFilter, toFilterQuery } from './notification-filter.ts'
import type { NotificationStore } from './notification-store.ts'

interface Page {
  readonly data: readonly InboxNotification[]
  readonly hasMore: boolean
}

/** The loaded part of a list: everything from its newest message to some older message. */
export interface ListPages {
  /** Returns the messages of this part, newest first. */
  items(): readonly InboxNotification[]
  /** Returns whether there are older messages. */
  hasMore(): boolean
  /** Returns whether everything is loaded. */
  isComplete(): boolean
  /** Loads the next page. */
  readMore(): Promise<void>
  /** Refetches this part, or the pages around some ids, and removes messages that the service no longer has. */
  readAgain(ids?: readonly string[]): Promise<void>
}

const pageSize = 20
const largestPage = 100
/** The maximum number of pages to refetch; `readMore` reloads older ones. */
const maxPages = 10

/** Creates a part without any loaded messages. */
export function createPages(api: InboxApi, store: NotificationStore, filter: NotificationFilter): ListPages {
  /** The oldest loaded id; empty if all messages are loaded. */
  let oldest: string | undefined
  const items = (): readonly InboxNotification[] => {
    const from = oldest
    return from === undefined ? [] : store.items().filter((item) => item.id >= from && matchesFilter(item, filter))
  }
  const readPage = (limit: number, after: string | undefined): Promise<Page> =>
    api.call<Page>({ method: 'GET', path: '/notifications', query: { ...toFilterQuery(filter), limit, after } })
  const readMore = async (): Promise<void> => {
    const page = await readPage(pageSize, oldest)
    oldest = lastOf(page)
    store.merge(page.data)
  }
  return {
    items,
    hasMore: () => oldest !== undefined && oldest !== '',
    isComplete: () => oldest === '',
    readMore,
    async readAgain(ids) {
      if (oldest === undefined) return readMore()
      const loadedFrom = oldest
      const changed = ids?.filter((id) => id >= loadedFrom).sort()
      if (changed?.length === 0) return
      // Messages that arrive during the fetch are not in its pages and are kept.
      const newest = changed?.at(-1)
      const above = newest === undefined ? undefined : items().findLast(({ id }) => id > newest)?.id
      const before = items().filter(({ id }) => above === undefined || id < above)
      const target = changed?.[0] ?? loadedFrom
      const affected = before.filter(({ id }) => id >= target)
      const limit = Math.min(largestPage, Math.max(pageSize, affected.length))
      const current: InboxNotification[] = []
      let last = above
      const isDone = (): boolean => last !== undefined && last <= target
      for (let pages = 0; pages < maxPages && (pages === 0 || !isDone()); pages++) {
        const page = await readPage(limit, last)
        current.push(...page.data)
        last = lastOf(page)
      }
      const from = last ?? ''
      const loadedIds = new Set(current.map(({ id }) => id))
      if (!changed || !isDone()) oldest = from
      store.forget(before.flatMap(({ id }) => (id >= from && !loadedIds.has(id) ? [id] : [])))
      store.merge(current)
    },
  }
}

/** Returns the id of the oldest loaded message after loading a page. */
const lastOf = ({ data, hasMore }: Page): string => (hasMore ? (data.at(-1)?.id ?? '') : '')
