import { Archive, ArchiveRestore, Check, Mail, MailOpen, UserRound } from 'lucide-react'
import type { ReactNode } from 'react'
import type { InboxAction, InboxItem } from '../../api/generated/resources.ts'
import { SimpleHtml } from '../../preview/simple-html.tsx'
import { useSend } from '../../session/queries.ts'
import { Badge } from '../../ui/badge.tsx'
import { Button } from '../../ui/button.tsx'
import { toast } from '../../ui/overlay/toasts.tsx'
import { TimeText } from '../../ui/time-text.tsx'
import style from './inbox.module.css'

export interface InboxItemProps {
  /** The message. */
  readonly item: InboxItem
  /** The API path of the inbox. */
  readonly path: string
}

/** Shows an in-app message with its buttons and actions. */
export function InboxItemView({ item, path }: InboxItemProps): ReactNode {
  const { id, subject, body, isRead, isArchived, isSnoozed, createdAt, workflow, redirect } = item
  const send = useSend([path])
  const change = (verb: string): void =>
    send.mutate(
      { method: 'PATCH', path: `${path}/${id}/${verb}` },
      { onError: (error) => toast("Couldn't do that", { description: error.message, tone: 'bad' }) },
    )
  const title = subject ?? workflow?.name ?? 'Message'
  return (
    <li className={`${style['item']} ${isRead ? '' : style['unread']}`} aria-label={title}>
      <span className={style['avatar']} aria-hidden>
        <UserRound size={17} />
      </span>
      <div className={style['text']}>
        <p className={style['line']}>
          <strong>{title}</strong>
          {!isRead && <Badge tone="accent">Unread</Badge>}
          {isSnoozed && <Badge>Snoozed</Badge>}
          <span className={style['when']}>
            <TimeText at={createdAt} />
          </span>
        </p>
        <div className={style['body']}>
          <SimpleHtml html={body} />
        </div>
        {redirect?.url !== undefined && <p className={style['target']}>A click opens {redirect.url}</p>}
        <div className={style['buttons']}>
          {(['primary', 'secondary'] as const).map((type) => (
            <ActionButton key={type} type={type} action={item[`${type}Action`]} onChange={change} />
          ))}
        </div>
      </div>
      <div className={style['tools']}>
        <Button
          needs="edit"
          small
          variant="quiet"
          aria-label={isRead ? `Mark as unread: ${title}` : `Mark as read: ${title}`}
          tip={isRead ? 'Mark as unread' : 'Mark as read'}
          icon={isRead ? <Mail size={15} /> : <MailOpen size={15} />}
          onClick={() => change(isRead ? 'unread' : 'read')}
        />
        <Button
          needs="edit"
          small
          variant="quiet"
          aria-label={isArchived ? `Move back to the inbox: ${title}` : `Archive: ${title}`}
          tip={isArchived ? 'Move back to the inbox' : 'Archive'}
          icon={isArchived ? <ArchiveRestore size={15} /> : <Archive size={15} />}
          onClick={() => change(isArchived ? 'unarchive' : 'archive')}
        />
      </div>
    </li>
  )
}

interface ActionButtonProps {
  readonly type: 'primary' | 'secondary'
  readonly action: InboxAction | undefined
  onChange(verb: string): void
}

/** A click is recorded, as in an app's inbox component, but no link is opened. */
function ActionButton({ type, action, onChange }: ActionButtonProps): ReactNode {
  if (!action) return undefined
  const { label, isCompleted, redirect } = action
  return (
    <Button
      needs="edit"
      small
      variant={type === 'primary' && !isCompleted ? 'primary' : 'plain'}
      icon={isCompleted ? <Check size={14} /> : undefined}
      aria-pressed={isCompleted}
      tip={redirect?.url === undefined ? undefined : `Opens ${redirect.url}`}
      onClick={() => onChange(`actions/${type}/${isCompleted ? 'revert' : 'complete'}`)}
    >
      {label}
    </Button>
  )
}
