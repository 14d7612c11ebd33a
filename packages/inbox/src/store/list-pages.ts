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
  /** Refetches this part, or the pages around some ids. */
  readAgain(ids?: readonly string[]): Promise<void>
}

const pageSize = 20
const largestPage = 100
/** The maximum number of pages to refetch; `readMore` reloads older ones. */
const maxPages = 10

interface Range {
  /** The message before the range; undefined for the newest messages. */
  readonly above: string | undefined
  /** The id at which the range ends. */
  readonly target: string
  readonly limit: number
  readonly pages: number
}

/** Creates a part without any loaded messages. */
export function createPages(api: InboxApi, store: NotificationStore, filter: NotificationFilter): ListPages {
  /** The oldest loaded id; empty if all messages are loaded. */
  let oldest: string | undefined
  const items = (): readonly InboxNotification[] => {
    const from = oldest
    if (from === undefined) return []
    return store
      .items()
      .filter((item) => item.id >= from && matchesFilter(item, filter) && !store.exclusions.has(filter, item.id))
  }
  /** Fetches a range, and removes messages that the service did not return. Returns the oldest fetched id. */
  const readRange = async ({ above, target, limit, pages }: Range): Promise<string> => {
    // Messages that arrive during the fetch are not in its pages and are kept.
    const before = [...store.confirmed()].filter(
      (item) => (above === undefined || item.id < above) && matchesFilter(item, filter),
    )
    const current: InboxNotification[] = []
    let last = above
    for (let page = 0; page < pages && (page === 0 || last === undefined || last > target); page++) {
      const query = { ...toFilterQuery(filter), limit, after: last }
      const { data, hasMore } = await api.call<Page>({ method: 'GET', path: '/notifications', query })
      current.push(...data)
      last = hasMore ? data.at(-1)?.id : ''
    }
    const from = last ?? ''
    const currentIds = new Set(current.map(({ id }) => id))
    const missingIds = before.flatMap(({ id }) => (id >= from && !currentIds.has(id) ? [id] : []))
    store.exclusions.add(filter, missingIds)
    store.merge(current)
    return from
  }
  const readMore = async (): Promise<void> => {
    oldest = await readRange({ above: oldest, target: '', limit: pageSize, pages: 1 })
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
      const newest = changed?.at(-1)
      const above = newest === undefined ? undefined : items().findLast(({ id }) => id > newest)?.id
      const target = changed?.[0] ?? loadedFrom
      const affected = items().filter(({ id }) => id >= target && (above === undefined || id < above))
      const limit = Math.min(largestPage, Math.max(pageSize, affected.length))
      const from = await readRange({ above, target, limit, pages: maxPages })
      if (!changed || from > target) oldest = from
    },
  }
}
