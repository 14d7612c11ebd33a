import { type KeyboardEvent, type ReactElement, useEffect, useRef, useState } from 'react'
import { Bell } from './bell.tsx'
import { Notifications } from './notifications.tsx'
import { Preferences } from './preferences-view.tsx'
import { InboxProvider, type InboxProviderProps, useInboxContext } from './provider.tsx'

/**
 * Shows a bell that opens the messages of a subscriber.
 *
 * @example
 * <Inbox applicationIdentifier={id} subscriber="ada" subscriberHash={hash} url={url} />
 */
export function Inbox(props: Omit<InboxProviderProps, 'children'>): ReactElement {
  return (
    <InboxProvider {...props}>
      <Popover />
    </InboxProvider>
  )
}

function Popover(): ReactElement {
  const { texts } = useInboxContext()
  const [isOpen, setOpen] = useState(false)
  const root = useRef<HTMLDivElement>(null)
  const dialog = useRef<HTMLDivElement>(null)
  useEffect(() => {
    if (!isOpen) return
    dialog.current?.focus()
    const onPress = ({ target }: PointerEvent): void => {
      if (!root.current?.contains(target as Node)) setOpen(false)
    }
    document.addEventListener('pointerdown', onPress)
    return () => document.removeEventListener('pointerdown', onPress)
  }, [isOpen])
  const onKeyDown = ({ key }: KeyboardEvent): void => {
    if (key !== 'Escape' || !isOpen) return
    setOpen(false)
    root.current?.querySelector('button')?.focus()
  }
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: Escape closes from everywhere inside
    <div className="trestle-inbox" ref={root} onKeyDown={onKeyDown}>
      <Bell expanded={isOpen} onClick={() => setOpen(!isOpen)} />
      {isOpen && (
        <div className="trestle-popover" role="dialog" aria-label={texts.title} tabIndex={-1} ref={dialog}>
          <Panel />
        </div>
      )}
    </div>
  )
}

function Panel(): ReactElement {
  const { texts, inbox } = useInboxContext()
  const [isPreferences, setPreferences] = useState(false)
  return (
    <>
      <div className="trestle-header">
        <h2>{isPreferences ? texts.preferences : texts.title}</h2>
        {!isPreferences && (
          <button type="button" className="trestle-button" onClick={() => void inbox?.readAll().catch(() => undefined)}>
            {texts.markAllRead}
          </button>
        )}
        <button type="button" className="trestle-button" onClick={() => setPreferences(!isPreferences)}>
          {isPreferences ? texts.back : texts.preferences}
        </button>
      </div>
      {isPreferences ? <Preferences /> : <Notifications />}
    </>
  )
}
