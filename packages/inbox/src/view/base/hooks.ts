import { useMemo, useSyncExternalStore } from 'react'
import type { Inbox, InboxSnapshot } from '../../store/create-inbox.ts'
import type { NotificationFilter } from '../../store/notification-filter.ts'
import type { NotificationList, NotificationListSnapshot } from '../../store/notification-list.ts'
import type { Preferences, PreferencesSnapshot } from '../../store/preference-store.ts'
import { useInboxContext } from './provider.tsx'

const notOpen: InboxSnapshot = {
  status: 'connecting',
  error: undefined,
  counts: { unread: 0, severity: { high: 0, medium: 0, low: 0, none: 0 }, unseen: 0 },
}
const noList: NotificationListSnapshot = {
  ...{ status: 'loading', items: [], newCount: 0, hasMore: false, error: undefined },
}
const noPreferences: PreferencesSnapshot = { status: 'loading', items: [], error: undefined }
const never = (): (() => void) => () => undefined

interface Source<Snapshot> {
  subscribe(listener: () => void): () => void
  getSnapshot(): Snapshot
}

function useSource<Snapshot>(source: Source<Snapshot> | undefined, empty: Snapshot): Snapshot {
  return useSyncExternalStore(source?.subscribe ?? never, source?.getSnapshot ?? (() => empty), () => empty)
}

/**
 * Returns the inbox, which is undefined until it is open, and its snapshot.
 *
 * @example
 * const { counts } = useInbox()
 */
export function useInbox(): InboxSnapshot & { readonly inbox: Inbox | undefined } {
  const { inbox } = useInboxContext()
  return { inbox, ...useSource(inbox, notOpen) }
}

/**
 * Returns the messages that match a filter, and a list that can load more.
 *
 * @example
 * const { items } = useNotifications({ archived: true })
 */
export function useNotifications(
  filter?: NotificationFilter,
): NotificationListSnapshot & { readonly list: NotificationList | undefined } {
  const { inbox } = useInboxContext()
  const key = JSON.stringify(filter)
  const list = useMemo(() => inbox?.list(key === undefined ? undefined : JSON.parse(key)), [inbox, key])
  return { list, ...useSource(list, noList) }
}

/**
 * Returns the subscriber's preferences, and functions to change them.
 *
 * @example
 * const { items, preferences } = usePreferences()
 */
export function usePreferences(): PreferencesSnapshot & { readonly preferences: Preferences | undefined } {
  const { inbox } = useInboxContext()
  return { preferences: inbox?.preferences, ...useSource(inbox?.preferences, noPreferences) }
}
