import { createContext, type ReactElement, type ReactNode, useContext, useEffect, useMemo, useState } from 'react'
import { createInbox, type Inbox } from '../../store/create-inbox.ts'
import type { InboxOptions } from '../../wire/inbox-options.ts'
import type { InboxNotification } from '../../wire/resources.ts'
import { createFailures, type Failures } from './failures.ts'
import { englishTexts, type InboxTexts } from './texts.ts'

/**
 * Called when a message or one of its buttons is clicked. `event.preventDefault()` prevents a link from being followed.
 */
export type OnNotificationClick = (
  notification: InboxNotification,
  event: { preventDefault(): void; readonly defaultPrevented: boolean },
) => void

/** State shared by a page's components. */
export interface InboxContext {
  /** The inbox; undefined until the provider is mounted in a browser. */
  readonly inbox: Inbox | undefined
  readonly texts: InboxTexts
  /** Language of times and dates. */
  readonly locale: string | undefined
  /** Runs changes, and keeps the latest failed one. */
  readonly failures: Failures
  readonly onNotificationClick: OnNotificationClick | undefined
}

const Context = /* @__PURE__ */ createContext<InboxContext | undefined>(undefined)

/** Display options of an inbox. */
export interface InboxView {
  /** Replacements for the English texts. */
  readonly texts?: Partial<InboxTexts> | undefined
  /** Language of times and dates, such as `de`. @default the `lang` of the page */
  readonly locale?: string | undefined
  /** Called when a message or one of its buttons is clicked, before its link is followed. */
  readonly onNotificationClick?: OnNotificationClick | undefined
}

/** Properties of `InboxProvider`. */
export type InboxProviderProps = InboxView & { readonly children?: ReactNode } & (
    | InboxOptions
    | {
        /** An inbox created with `createInbox`. Its creator must close it. */
        readonly inbox: Inbox | undefined
      }
  )

/**
 * Opens an inbox for the components and hooks inside it, and closes it when the provider is unmounted.
 *
 * @example
 * <InboxProvider applicationIdentifier={id} subscriber="ada" subscriberHash={hash} url={url}><Bell /></InboxProvider>
 */
export function InboxProvider(props: InboxProviderProps): ReactElement {
  const { children, texts, locale, onNotificationClick } = props
  const inbox = useOpenInbox(props)
  const [failures] = useState(createFailures)
  const value = useMemo(
    () => ({
      inbox,
      failures,
      onNotificationClick,
      texts: { ...englishTexts, ...texts },
      // Times are only rendered in the browser, so that the server's HTML matches.
      locale: locale ?? (globalThis.document?.documentElement.lang || undefined),
    }),
    [inbox, failures, onNotificationClick, texts, locale],
  )
  return <Context.Provider value={value}>{children}</Context.Provider>
}

function useOpenInbox(props: InboxProviderProps): Inbox | undefined {
  const given = 'inbox' in props ? props.inbox : undefined
  const [opened, setOpened] = useState<Inbox>()
  // A new object with equal options must not open a new session.
  const key = 'inbox' in props ? undefined : toKey(props)
  useEffect(() => {
    if (key === undefined) return
    const inbox = createInbox(JSON.parse(key) as InboxOptions)
    setOpened(inbox)
    return () => {
      inbox.close()
      setOpened(undefined)
    }
  }, [key])
  return given ?? opened
}

const toKey = ({ applicationIdentifier, subscriber, subscriberHash, url }: InboxOptions): string =>
  JSON.stringify({ applicationIdentifier, subscriber, subscriberHash, url })

/**
 * Returns the shared state of the provider: the inbox, the texts, the language, and failed changes.
 *
 * @throws Error if used outside a provider.
 *
 * @example
 * const { inbox, failures } = useInboxContext()
 * failures.run(() => inbox.archive(id))
 */
export function useInboxContext(): InboxContext {
  const value = useContext(Context)
  if (!value) throw new Error('Inbox components and hooks must be inside <InboxProvider>.')
  return value
}
