import { render } from 'preact'
import type { ComponentType } from 'react'
import type { Inbox } from '../store/create-inbox.ts'
import { InboxProvider } from '../view/base/provider.tsx'
import type { InboxOptions } from '../wire/inbox-options.ts'
import type { InboxNotification } from '../wire/resources.ts'
import type { ElementSettings } from './inbox-element.ts'
import { type SharedInbox, shareInbox } from './shared-inbox.ts'

/** The behavior of an element. */
export interface Controller {
  get<Name extends keyof ElementSettings>(name: Name): ElementSettings[Name] | undefined
  set(name: keyof ElementSettings, value: unknown): void
  /** Applies the element's settings, and whether it is in a page. */
  update(): void
  inbox(): Inbox | undefined
}

/**
 * Creates the behavior of an element: it opens an inbox when its settings are complete, and renders into the shadow
 * root.
 */
export function createController(host: HTMLElement, View: ComponentType): Controller {
  const settings: Partial<ElementSettings> = {}
  let shared: SharedInbox | undefined
  let key: string | undefined
  let isWaiting = false

  const onNotificationClick = (
    detail: InboxNotification,
    event: { readonly defaultPrevented: boolean; preventDefault(): void },
  ): void => {
    const init = { detail, bubbles: true, composed: true, cancelable: true }
    if (!host.dispatchEvent(new CustomEvent('notification-click', init))) event.preventDefault()
  }
  const open = (): void => {
    const options = host.isConnected ? toOptions(settings) : undefined
    const next = options && JSON.stringify(options)
    if (next === key) return
    key = next
    const former = shared
    shared = undefined
    former?.release()
    if (options) shared = shareInbox(options)
  }
  const show = (): void => {
    const root = host.shadowRoot
    if (!root) return
    const lang = host.closest<HTMLElement>('[lang]')?.lang
    const { texts, locale = lang } = settings
    const content = (
      <InboxProvider inbox={shared?.inbox} texts={texts} locale={locale} onNotificationClick={onNotificationClick}>
        <View />
      </InboxProvider>
    )
    // React is only used for its types.
    render(host.isConnected ? (content as never) : null, root)
  }
  const update = (): void => {
    if (isWaiting) return
    isWaiting = true
    // Batches changes, so that an element that is moved in the page keeps its inbox open.
    queueMicrotask(() => {
      isWaiting = false
      try {
        open()
      } finally {
        show()
      }
    })
  }
  return {
    get: (name) => settings[name],
    set(name, value) {
      Object.assign(settings, { [name]: value ?? undefined })
      update()
    },
    update,
    inbox: () => shared?.inbox,
  }
}

/** Returns the options of the inbox, or undefined while required ones are missing. */
function toOptions(settings: Partial<ElementSettings>): InboxOptions | undefined {
  const { applicationIdentifier, subscriber, subscriberHash, url } = settings
  if (!applicationIdentifier || !subscriber || !url) return undefined
  return { applicationIdentifier, subscriber, subscriberHash, url }
}
