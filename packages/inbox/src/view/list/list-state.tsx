import type { ReactElement } from 'react'
import type { NotificationFilter } from '../../store/notification-filter.ts'
import { useInbox } from '../base/hooks.ts'
import { Icon, type IconName } from '../base/icon.tsx'
import { useInboxContext } from '../base/provider.tsx'
import type { InboxTexts } from '../base/texts.ts'

interface ListStateProps {
  readonly status: 'loading' | 'ready' | 'failed'
  readonly isEmpty: boolean
  readonly filter: NotificationFilter | undefined
  readonly onRetry: () => void
}

/** Shows the state of a list without messages: loading, empty, or failed. */
export function ListState({ status, isEmpty, filter, onRetry }: ListStateProps): ReactElement | null {
  const { texts } = useInboxContext()
  const isRefused = useInbox().status === 'refused'
  if (isRefused) return <Placeholder icon="alert" title={texts.refused} />
  if (status === 'failed')
    return (
      <Placeholder icon="alert" title={texts.failed}>
        <button type="button" className="trestle-button" onClick={onRetry}>
          {texts.retry}
        </button>
      </Placeholder>
    )
  if (status === 'loading') return <Skeleton rows={isEmpty ? 6 : 1} />
  if (!isEmpty) return null
  const { icon, title, hint } = emptyOf(filter, texts)
  return (
    <Placeholder icon={icon} title={title}>
      {hint}
    </Placeholder>
  )
}

interface Empty {
  readonly icon: IconName
  readonly title: string
  readonly hint?: string
}

function emptyOf({ archived, snoozed, read }: NotificationFilter = {}, texts: InboxTexts): Empty {
  if (archived) return { icon: 'archive', title: texts.emptyArchived }
  if (snoozed) return { icon: 'clock', title: texts.emptySnoozed }
  if (read === false) return { icon: 'checks', title: texts.emptyUnread, hint: texts.emptyHint }
  return { icon: 'bell', title: texts.empty, hint: texts.emptyHint }
}

interface PlaceholderProps {
  readonly icon: IconName
  readonly title: string
  readonly children?: ReactElement | string | undefined
}

/** Shows a centered sentence with an icon. */
export function Placeholder({ icon, title, children }: PlaceholderProps): ReactElement {
  return (
    <div className="trestle-placeholder">
      <span className="trestle-placeholder-icon">
        <Icon name={icon} size={24} />
      </span>
      <p className="trestle-placeholder-title">{title}</p>
      {typeof children === 'string' ? <p className="trestle-hint">{children}</p> : children}
    </div>
  )
}

/** Shows placeholders for rows that are loading. */
export function Skeleton({ rows }: { readonly rows: number }): ReactElement {
  const { texts } = useInboxContext()
  return (
    <div className="trestle-skeleton">
      <span className="trestle-hidden">{texts.loading}</span>
      {Array.from({ length: rows }, (_, row) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: the outlines have no other key
        <span key={row} className="trestle-skeleton-row" aria-hidden="true" />
      ))}
    </div>
  )
}
