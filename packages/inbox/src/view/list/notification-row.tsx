import { type MouseEvent, memo, type NamedExoticComponent, type ReactElement } from 'react'
import type { Inbox } from '../../store/create-inbox.ts'
import type { InboxNotification } from '../../wire/resources.ts'
import { Icon } from '../base/icon.tsx'
import { LinkOrButton } from '../base/link-or-button.tsx'
import { useInboxContext } from '../base/provider.tsx'
import { toTimeText } from '../base/relative-time.ts'
import { toSafeUrl } from '../base/safe-url.ts'
import { fill } from '../base/texts.ts'
import { Age } from './age.tsx'
import { RowActions } from './row-actions.tsx'
import { RowMenu } from './row-menu.tsx'

interface RowProps {
  readonly item: InboxNotification
  readonly inbox: Inbox
  /** Whether the row can be reached with Tab. */
  readonly isActive: boolean
}

/** Shows one message of a list. */
export const NotificationRow: NamedExoticComponent<RowProps> = /* @__PURE__ */ memo(function Row(props: RowProps) {
  const { item, inbox, isActive } = props
  const { failures, onNotificationClick } = useInboxContext()
  const { id, isRead, avatar } = item
  const picture = toSafeUrl(avatar)
  const tabIndex = isActive ? 0 : -1
  const onClick = (event: MouseEvent): void => {
    onNotificationClick?.(item, event)
    if (!isRead) failures.run(() => inbox.read(id))
  }
  return (
    <li className="trestle-item" data-id={id} data-unread={!isRead} data-severity={item.severity}>
      {picture && <img className="trestle-avatar" src={picture} alt="" loading="lazy" referrerPolicy="no-referrer" />}
      <div className="trestle-content">
        <LinkOrButton className="trestle-main" redirect={item.redirect} tabIndex={tabIndex} onClick={onClick}>
          <Message item={item} />
        </LinkOrButton>
        <RowActions item={item} inbox={inbox} tabIndex={tabIndex} />
      </div>
      <Tools item={item} inbox={inbox} tabIndex={tabIndex} />
    </li>
  )
})

function Message({ item }: { readonly item: InboxNotification }): ReactElement {
  const { texts, locale } = useInboxContext()
  const { subject, body, isRead, isSnoozed, snoozedUntil, severity } = item
  return (
    <>
      {!isRead && <span className="trestle-hidden">{texts.unread} </span>}
      <span className="trestle-head">
        {severity === 'high' && (
          <span className="trestle-urgent" title={texts.important}>
            <Icon name="alert" size={15} />
            <span className="trestle-hidden">{texts.important} </span>
          </span>
        )}
        <span className="trestle-subject">{subject ?? body}</span>
        <Age time={item.createdAt} />
      </span>
      {subject && <span className="trestle-body">{body}</span>}
      {isSnoozed && snoozedUntil && (
        <span className="trestle-snoozed">
          <Icon name="clock" size={13} />
          {fill(texts.snoozedUntil, { time: toTimeText(snoozedUntil, Date.now(), locale) })}
        </span>
      )}
    </>
  )
}

interface ToolsProps {
  readonly item: InboxNotification
  readonly inbox: Inbox
  readonly tabIndex: number
}

/** Shows the two most common actions, and a menu with all of them. */
function Tools({ item, inbox, tabIndex }: ToolsProps): ReactElement {
  const { texts, failures } = useInboxContext()
  const { id, isRead, isArchived } = item
  const mark = isRead ? texts.markUnread : texts.markRead
  const move = isArchived ? texts.unarchive : texts.archive
  return (
    <div className="trestle-tools">
      <button
        type="button"
        className="trestle-tool trestle-quick"
        tabIndex={tabIndex}
        aria-label={mark}
        title={mark}
        onClick={() => failures.run(() => (isRead ? inbox.unread(id) : inbox.read(id)))}
      >
        <Icon name={isRead ? 'unread' : 'read'} />
      </button>
      <button
        type="button"
        className="trestle-tool trestle-quick"
        tabIndex={tabIndex}
        aria-label={move}
        title={move}
        onClick={() => failures.run(() => (isArchived ? inbox.unarchive(id) : inbox.archive(id)))}
      >
        <Icon name={isArchived ? 'inbox' : 'archive'} />
      </button>
      <RowMenu item={item} inbox={inbox} tabIndex={tabIndex} />
    </div>
  )
}
