import { memo, type NamedExoticComponent } from 'react'
import type { Inbox } from '../store/create-inbox.ts'
import type { InboxNotification } from '../wire/resources.ts'
import { toAge } from './age.ts'
import { useInboxContext } from './provider.tsx'
import { toSafeUrl } from './safe-url.ts'

interface RowProps {
  readonly item: InboxNotification
  readonly inbox: Inbox
}

/** One message of a list. */
export const NotificationRow: NamedExoticComponent<RowProps> = /* @__PURE__ */ memo(function Row(props: RowProps) {
  const { item, inbox } = props
  const { texts } = useInboxContext()
  const { id, isRead, subject, body, avatar, redirect } = item
  const run = (work: Promise<void>): void => void work.catch(() => undefined)
  const url = toSafeUrl(redirect?.url)
  const picture = toSafeUrl(avatar)
  const content = (
    <>
      {subject && <span className="trestle-subject">{subject}</span>}
      <span className="trestle-body">{body}</span>
      <time className="trestle-time" dateTime={item.createdAt}>
        {toAge(item.createdAt)}
      </time>
    </>
  )
  const open = (): void => run(inbox.read(id))
  return (
    <li className="trestle-item" data-unread={!isRead} data-severity={item.severity}>
      {picture && <img className="trestle-avatar" src={picture} alt="" loading="lazy" referrerPolicy="no-referrer" />}
      {url ? (
        <a className="trestle-main" href={url} target={redirect?.target} rel="noopener noreferrer" onClick={open}>
          {content}
        </a>
      ) : (
        <button type="button" className="trestle-main" onClick={open}>
          {content}
        </button>
      )}
      <span className="trestle-tools">
        <button
          type="button"
          className="trestle-tool"
          aria-label={isRead ? texts.markUnread : texts.markRead}
          title={isRead ? texts.markUnread : texts.markRead}
          onClick={() => run(isRead ? inbox.unread(id) : inbox.read(id))}
        >
          <span aria-hidden="true">{isRead ? '○' : '●'}</span>
        </button>
        <button
          type="button"
          className="trestle-tool"
          aria-label={texts.archive}
          title={texts.archive}
          onClick={() => run(inbox.archive(id))}
        >
          <span aria-hidden="true">✕</span>
        </button>
      </span>
    </li>
  )
})
