import { type ReactElement, useEffect, useRef, useState } from 'react'
import type { Inbox } from '../store/create-inbox.ts'
import type { NotificationFilter } from '../store/notification-filter.ts'
import type { InboxNotification } from '../wire/resources.ts'
import { useInbox, useNotifications } from './hooks.ts'
import { NotificationRow } from './notification-row.tsx'
import { useInboxContext } from './provider.tsx'

/** Properties of `Notifications`. */
export interface NotificationsProps {
  /** Which messages; without one those that are neither archived nor snoozed. */
  readonly filter?: NotificationFilter
}

/** Closer to the top than this, messages that arrive are shown at once. */
const topPx = 8
/** Closer to the end than this, older messages are loaded. */
const endPx = 400

/**
 * Shows the messages of a filter, and loads older ones while it is scrolled.
 *
 * @example
 * <Notifications filter={{ archived: true }} />
 */
export function Notifications({ filter }: NotificationsProps): ReactElement {
  const { texts } = useInboxContext()
  const { inbox, status: connection } = useInbox()
  const { list, items, newCount, hasMore, status } = useNotifications(filter)
  const box = useRef<HTMLElement>(null)
  useMarkSeen(inbox, items)
  // A hidden list follows new messages again.
  useEffect(() => () => list?.showNew(), [list])
  const onScroll = (): void => {
    const element = box.current
    if (!element || !list) return
    if (element.scrollTop <= topPx) list.showNew()
    else list.hold()
    const isNearEnd = element.scrollHeight - element.scrollTop - element.clientHeight < endPx
    if (isNearEnd && hasMore && status === 'ready') void list.loadMore()
  }
  const showNew = (): void => {
    list?.showNew()
    box.current?.scrollTo({ top: 0 })
    box.current?.focus()
  }
  return (
    <div className="trestle-list">
      <Announcer />
      {connection === 'offline' && <p className="trestle-notice">{texts.offline}</p>}
      {connection === 'refused' && <p className="trestle-notice">{texts.refused}</p>}
      {newCount > 0 && (
        <button type="button" className="trestle-pill" onClick={showNew}>
          {texts.newMessages.replace('{count}', String(newCount))}
        </button>
      )}
      <section
        className="trestle-scroll"
        ref={box}
        onScroll={onScroll}
        // biome-ignore lint/a11y/noNoninteractiveTabindex: a scrolled area must be reachable by the keyboard
        tabIndex={0}
        aria-label={texts.title}
        aria-busy={status === 'loading'}
      >
        {inbox && items.length > 0 && (
          <ul className="trestle-items">
            {items.map((item) => (
              <NotificationRow key={item.id} item={item} inbox={inbox} />
            ))}
          </ul>
        )}
        <ListState status={status} isEmpty={items.length === 0} onRetry={() => void list?.loadMore()} />
        {hasMore && status === 'ready' && (
          <button type="button" className="trestle-button" onClick={() => void list?.loadMore()}>
            {texts.loadMore}
          </button>
        )}
      </section>
    </div>
  )
}

/** Marks messages as seen when they are shown, once each. */
function useMarkSeen(inbox: Inbox | undefined, items: readonly InboxNotification[]): void {
  const shown = useRef(new Set<string>())
  useEffect(() => {
    const fresh = items.flatMap(({ id, isSeen }) => (isSeen || shown.current.has(id) ? [] : [id]))
    for (const id of fresh) shown.current.add(id)
    if (fresh.length > 0) inbox?.seen(fresh).catch(() => undefined)
  }, [items, inbox])
}

interface ListStateProps {
  readonly status: 'loading' | 'ready' | 'failed'
  readonly isEmpty: boolean
  readonly onRetry: () => void
}

function ListState({ status, isEmpty, onRetry }: ListStateProps): ReactElement | null {
  const { texts } = useInboxContext()
  const isRefused = useInbox().status === 'refused'
  if (isRefused) return null
  if (status === 'failed')
    return (
      <p className="trestle-notice">
        {texts.failed}{' '}
        <button type="button" className="trestle-button" onClick={onRetry}>
          {texts.retry}
        </button>
      </p>
    )
  if (!isEmpty) return null
  return <p className="trestle-notice">{status === 'loading' ? texts.loading : texts.empty}</p>
}

/** Reads messages that arrive out to screen readers. */
function Announcer(): ReactElement {
  const { inbox, texts } = useInboxContext()
  const [text, setText] = useState('')
  useEffect(
    () =>
      inbox?.on('notification_received', ({ message }) =>
        setText(texts.arrived.replace('{text}', () => message.subject ?? message.body)),
      ),
    [inbox, texts],
  )
  return (
    <p role="status" className="trestle-hidden">
      {text}
    </p>
  )
}
