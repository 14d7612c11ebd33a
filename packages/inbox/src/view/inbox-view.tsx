import { type FocusEvent, type KeyboardEvent, type ReactElement, useRef, useState } from 'react'
import type { Inbox as HeadlessInbox } from '../store/create-inbox.ts'
import type { InboxOptions } from '../wire/inbox-options.ts'
import { Floating } from './base/floating.tsx'
import { InboxProvider, type InboxView, useInboxContext } from './base/provider.tsx'
import { Bell } from './bell.tsx'
import { Panel } from './panel.tsx'

/** Properties of `Inbox`: the options of `createInbox`, or an existing inbox. */
export type InboxProps = InboxView & (InboxOptions | { readonly inbox: HeadlessInbox })

/**
 * Shows a bell that opens the messages of a subscriber.
 *
 * @example
 * <Inbox applicationIdentifier={id} subscriber="ada" subscriberHash={hash} url={url} />
 */
export function Inbox(props: InboxProps): ReactElement {
  return (
    <InboxProvider {...props}>
      <Popover />
    </InboxProvider>
  )
}

/** Shows a bell with its panel. */
export function Popover(): ReactElement {
  const { texts } = useInboxContext()
  const [isOpen, setOpen] = useState(false)
  const root = useRef<HTMLDivElement>(null)
  const bell = useRef<HTMLButtonElement>(null)
  const close = (): void => {
    setOpen(false)
    bell.current?.focus()
  }
  const onKeyDown = ({ key }: KeyboardEvent): void => {
    if (key === 'Escape' && isOpen) close()
  }
  const onBlur = ({ relatedTarget }: FocusEvent): void => {
    const next = relatedTarget as Node | null
    // Focus has moved out of the inbox to the page.
    if (next?.isConnected && !root.current?.contains(next)) setOpen(false)
  }
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: Escape closes from everywhere inside
    <div className="trestle-root trestle-inbox" ref={root} onKeyDown={onKeyDown} onBlur={onBlur}>
      <Bell expanded={isOpen} onClick={() => setOpen(!isOpen)} buttonRef={bell} />
      {isOpen && (
        <Floating
          anchor={bell}
          className="trestle-popover"
          role="dialog"
          label={texts.title}
          onLeave={() => setOpen(false)}
        >
          <Panel onClose={close} />
        </Floating>
      )}
    </div>
  )
}
