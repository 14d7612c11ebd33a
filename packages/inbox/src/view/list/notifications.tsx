import { type ReactElement, useEffect, useRef, useState } from 'react'
import type { Inbox } from '../../store/create-inbox.ts'
import type { NotificationFilter } from '../../store/notification-filter.ts'
import type { InboxNotification } from '../../wire/resources.ts'
import { FailureBar } from '../base/failure-bar.tsx'
import { useInbox, useNotifications } from '../base/hooks.ts'
import { useInboxContext } from '../base/provider.tsx'
import { fill } from '../base/texts.ts'
import { ListState } from './list-state.tsx'
import { NotificationRow } from './notification-row.tsx'
import { useReading } from './use-reading.ts'
import { useRowFocus } from './use-row-focus.ts'

/** Properties of `Notifications`. */
export interface NotificationsProps {
  /** Filter of the list. @default neither archived nor snoozed */
  readonly filter?: NotificationFilter
}

/** The distance from the end at which older messages are loaded, in pixels. */
const endPx = 400

/** The minimum time between two attempts to mark a message as seen, in milliseconds. */
const retryMs = 5000

/**
 * Shows the messages that match a filter, and loads older ones on scroll.
 *
 * @example
 * <Notifications filter={{ archived: true }} />
 */
export function Notifications({ filter }: NotificationsProps): ReactElement {
  const { texts } = useInboxContext()
  const { inbox, status: connection } = useInbox()
  const { list, items, newCount, hasMore, status } = useNotifications(filter)
  const box = useRef<HTMLElement>(null)
  const reading = useReading(list, box)
  const { activeId, ...rows } = useRowFocus(box, items)
  useMarkSeen(inbox, items)
  const onScroll = (): void => {
    reading.update()
    const element = box.current
    if (!element || !list || !hasMore || status !== 'ready') return
    if (element.scrollHeight - element.scrollTop - element.clientHeight < endPx) void list.loadMore()
  }
  const showNew = (): void => {
    list?.showNew()
    box.current?.scrollTo({ top: 0 })
    box.current?.focus()
    reading.update()
  }
  return (
    <div className="trestle-root trestle-list" {...reading.listeners}>
      <Announcer />
      {connection === 'offline' && <p className="trestle-notice">{texts.offline}</p>}
      {newCount > 0 && (
        <button type="button" className="trestle-pill" onClick={showNew}>
          {fill(texts.newMessages, { count: newCount })}
        </button>
      )}
      <section
        className="trestle-scroll"
        ref={box}
        onScroll={onScroll}
        {...rows}
        tabIndex={-1}
        aria-label={texts.title}
        aria-busy={status === 'loading'}
      >
        {inbox && items.length > 0 && (
          <ul className="trestle-items">
            {items.map((item) => (
              <NotificationRow key={item.id} item={item} inbox={inbox} isActive={item.id === activeId} />
            ))}
          </ul>
        )}
        <ListState status={status} isEmpty={items.length === 0} filter={filter} onRetry={() => void list?.loadMore()} />
        {hasMore && status === 'ready' && (
          <button type="button" className="trestle-button trestle-more" onClick={() => void list?.loadMore()}>
            {texts.loadMore}
          </button>
        )}
      </section>
      <FailureBar />
    </div>
  )
}

/** Marks the loaded messages of the list as seen while the page is visible, each of them once unless that fails. */
function useMarkSeen(inbox: Inbox | undefined, items: readonly InboxNotification[]): void {
  const markedIds = useRef(new Set<string>())
  useEffect(() => {
    const { current: marked } = markedIds
    const mark = (): void => {
      if (document.visibilityState !== 'visible') return
      const fresh = items.flatMap(({ id, isSeen }) => (isSeen || marked.has(id) ? [] : [id]))
      for (const id of fresh) marked.add(id)
      if (fresh.length === 0) return
      inbox?.seen(fresh).catch(() => {
        // Delayed, because the reverted change renders the list again, which would retry at once.
        setTimeout(() => {
          for (const id of fresh) marked.delete(id)
        }, retryMs)
      })
    }
    mark()
    document.addEventListener('visibilitychange', mark)
    return () => document.removeEventListener('visibilitychange', mark)
  }, [items, inbox])
}

/** Announces new messages to screen readers. */
function Announcer(): ReactElement {
  const { inbox, texts } = useInboxContext()
  const [latest, setLatest] = useState<InboxNotification>()
  useEffect(() => inbox?.on('notification_received', ({ message }) => setLatest(message)), [inbox])
  return (
    <p role="status" className="trestle-hidden">
      {/* A new element for each message, because screen readers do not announce a text that stays the same. */}
      {latest && <span key={latest.id}>{fill(texts.arrived, { text: latest.subject ?? latest.body })}</span>}
    </p>
  )
}
