import type { ReactElement } from 'react'
import { useInbox } from './hooks.ts'
import { useInboxContext } from './provider.tsx'

/** Properties of `Bell`. */
export interface BellProps {
  /** Called when it is pressed. */
  readonly onClick?: () => void
  /** Whether what it opens is open. */
  readonly expanded?: boolean
}

/**
 * Shows a button with the number of unread messages.
 *
 * @example
 * <Bell onClick={openInbox} />
 */
export function Bell({ onClick, expanded }: BellProps): ReactElement {
  const { texts } = useInboxContext()
  const { unread } = useInbox().counts
  const label = unread > 0 ? texts.openUnread.replace('{count}', String(unread)) : texts.open
  return (
    <button
      type="button"
      className="trestle-bell"
      aria-label={label}
      aria-haspopup={expanded === undefined ? undefined : 'dialog'}
      aria-expanded={expanded}
      onClick={onClick}
    >
      <svg
        viewBox="0 0 24 24"
        width="22"
        height="22"
        fill="none"
        stroke="currentColor"
        strokeWidth="1.8"
        aria-hidden="true"
      >
        <path d="M6 9a6 6 0 0 1 12 0c0 6 2.5 7.5 2.5 7.5h-17S6 15 6 9Z" strokeLinejoin="round" />
        <path d="M10 20a2.2 2.2 0 0 0 4 0" strokeLinecap="round" />
      </svg>
      {unread > 0 && (
        <span className="trestle-badge" aria-hidden="true">
          {unread > 99 ? '99+' : unread}
        </span>
      )}
    </button>
  )
}
