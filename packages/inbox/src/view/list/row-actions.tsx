import type { MouseEvent, ReactElement } from 'react'
import type { Inbox } from '../../store/create-inbox.ts'
import type { InboxNotification } from '../../wire/resources.ts'
import { Icon } from '../base/icon.tsx'
import { LinkOrButton } from '../base/link-or-button.tsx'
import { useInboxContext } from '../base/provider.tsx'

interface RowActionsProps {
  readonly item: InboxNotification
  readonly inbox: Inbox
  readonly tabIndex: number
}

/** Shows the buttons of a message. */
export function RowActions({ item, inbox, tabIndex }: RowActionsProps): ReactElement | null {
  const { texts, failures, onNotificationClick } = useInboxContext()
  const types = (['primary', 'secondary'] as const).filter((type) => item[`${type}Action`])
  if (types.length === 0) return null
  return (
    <div className="trestle-actions">
      {types.map((type) => {
        const action = item[`${type}Action`]
        if (!action) return null
        const { label, isCompleted } = action
        const onClick = (event: MouseEvent): void => {
          onNotificationClick?.(item, event)
          if (isCompleted) return
          failures.run(() => Promise.all([inbox.complete(item.id, type), item.isRead || inbox.read(item.id)]))
        }
        return (
          <LinkOrButton
            key={type}
            className="trestle-action"
            redirect={action.redirect}
            tabIndex={tabIndex}
            data-type={type}
            data-completed={isCompleted}
            aria-disabled={isCompleted && !action.redirect}
            onClick={onClick}
          >
            {isCompleted && <Icon name="check" size={14} />}
            {label}
            {isCompleted && <span className="trestle-hidden"> ({texts.completed})</span>}
          </LinkOrButton>
        )
      })}
    </div>
  )
}
