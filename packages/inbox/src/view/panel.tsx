import { type ReactElement, useId, useLayoutEffect, useRef, useState } from 'react'
import { useInbox } from './base/hooks.ts'
import { Icon } from './base/icon.tsx'
import { Menu } from './base/menu.tsx'
import { useInboxContext } from './base/provider.tsx'
import { Notifications } from './list/notifications.tsx'
import { Preferences } from './settings/preferences-view.tsx'
import { type TabName, Tabs, tabs } from './tabs.tsx'

/** Shows the complete inbox: lists, preferences, and actions for all messages. */
export function Panel({ onClose }: { readonly onClose?: (() => void) | undefined }): ReactElement {
  const [isPreferences, setPreferences] = useState(false)
  const [tab, setTab] = useState<TabName>('all')
  const id = useId()
  const root = useRef<HTMLDivElement>(null)
  const wasPreferences = useRef(false)
  useLayoutEffect(() => {
    // The pressed button no longer exists.
    if (wasPreferences.current !== isPreferences)
      root.current?.querySelector<HTMLElement>('[data-switch]')?.focus({ preventScroll: true })
    wasPreferences.current = isPreferences
  }, [isPreferences])
  return (
    <div className="trestle-panel" ref={root}>
      {isPreferences ? (
        <>
          <PreferencesHeader onBack={() => setPreferences(false)} onClose={onClose} />
          <Preferences />
        </>
      ) : (
        <>
          <ListHeader onPreferences={() => setPreferences(true)} onClose={onClose} />
          <Tabs selected={tab} id={id} onSelect={setTab} />
          <div className="trestle-tabpanel" role="tabpanel" id={`${id}panel`} aria-labelledby={`${id}${tab}`}>
            <Notifications key={tab} filter={tabs[tab]} />
          </div>
        </>
      )}
    </div>
  )
}

interface ListHeaderProps {
  onPreferences(): void
  readonly onClose: (() => void) | undefined
}

function ListHeader({ onPreferences, onClose }: ListHeaderProps): ReactElement {
  const { texts, failures } = useInboxContext()
  const { inbox } = useInbox()
  const run = (change: () => Promise<unknown> | undefined) => () => failures.run(async () => change())
  return (
    <div className="trestle-header">
      <h2>{texts.title}</h2>
      <button
        type="button"
        className="trestle-tool"
        aria-label={texts.markAllRead}
        title={texts.markAllRead}
        onClick={run(() => inbox?.readAll())}
      >
        <Icon name="checks" />
      </button>
      <Menu
        label={texts.more}
        items={() => [
          { label: texts.archiveAllRead, icon: 'archive', run: run(() => inbox?.archiveAllRead()) },
          { label: texts.archiveAll, icon: 'archive', run: run(() => inbox?.archiveAll()) },
        ]}
      />
      <button
        type="button"
        className="trestle-tool"
        data-switch
        aria-label={texts.preferences}
        title={texts.preferences}
        onClick={onPreferences}
      >
        <Icon name="gear" />
      </button>
      {onClose && <CloseButton onClose={onClose} />}
    </div>
  )
}

interface PreferencesHeaderProps {
  onBack(): void
  readonly onClose: (() => void) | undefined
}

function PreferencesHeader({ onBack, onClose }: PreferencesHeaderProps): ReactElement {
  const { texts } = useInboxContext()
  return (
    <div className="trestle-header">
      <button
        type="button"
        className="trestle-tool"
        data-switch
        aria-label={texts.back}
        title={texts.back}
        onClick={onBack}
      >
        <Icon name="back" />
      </button>
      <h2>{texts.preferences}</h2>
      {onClose && <CloseButton onClose={onClose} />}
    </div>
  )
}

/** Shows a close button, because the panel covers the bell on small screens. */
function CloseButton({ onClose }: { readonly onClose: () => void }): ReactElement {
  const { texts } = useInboxContext()
  return (
    <button type="button" className="trestle-tool trestle-close" aria-label={texts.close} onClick={onClose}>
      <Icon name="close" />
    </button>
  )
}
