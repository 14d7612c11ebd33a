import type { ReactElement, RefObject } from 'react'
import { useInbox } from './base/hooks.ts'
import { Icon } from './base/icon.tsx'
import { useInboxContext } from './base/provider.tsx'
import { fill } from './base/texts.ts'

/** Properties of `Bell`. */
export interface BellProps {
  /** Called when the bell is clicked. */
  readonly onClick?: () => void
  /** Whether the bell's panel is open. */
  readonly expanded?: boolean
  /** Receives the button element. */
  readonly buttonRef?: RefObject<HTMLButtonElement | null>
}

/**
 * Shows a button with the number of unread messages.
 *
 * @example
 * <Bell onClick={openInbox} />
 */
export function Bell({ onClick, expanded, buttonRef }: BellProps): ReactElement {
  const { texts } = useInboxContext()
  const { unread } = useInbox().counts
  return (
    <button
      type="button"
      className="trestle-root trestle-bell"
      ref={buttonRef}
      aria-label={unread > 0 ? fill(texts.openUnread, { count: unread }) : texts.open}
      aria-haspopup={expanded === undefined ? undefined : 'dialog'}
      aria-expanded={expanded}
      onClick={onClick}
    >
      <Icon name="bell" size={22} />
      {unread > 0 && (
        <span className="trestle-badge" aria-hidden="true">
          {unread > 99 ? '99+' : unread}
        </span>
      )}
    </button>
  )
}
