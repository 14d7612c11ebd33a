import { createContext, type ReactElement, type ReactNode, useContext, useEffect, useMemo, useState } from 'react'
import { createInbox, type Inbox } from '../store/create-inbox.ts'
import type { InboxOptions } from '../wire/inbox-options.ts'
import { englishTexts, type InboxTexts } from './texts.ts'

/** What the components of a page share. */
interface InboxContext {
  /** Undefined until the provider is mounted in a browser. */
  readonly inbox: Inbox | undefined
  readonly texts: InboxTexts
}

const Context = /* @__PURE__ */ createContext<InboxContext | undefined>(undefined)

/** Properties of `InboxProvider`. */
export interface InboxProviderProps extends InboxOptions {
  /** Texts to replace the English ones. */
  readonly texts?: Partial<InboxTexts>
  readonly children?: ReactNode
}

/**
 * Opens an inbox for the components and hooks inside it, and closes it when it is removed.
 *
 * @example
 * <InboxProvider applicationIdentifier={id} subscriber="ada" subscriberHash={hash} url={url}><Bell /></InboxProvider>
 */
export function InboxProvider(props: InboxProviderProps): ReactElement {
  const { children, texts, applicationIdentifier, subscriber, subscriberHash, url } = props
  const [inbox, setInbox] = useState<Inbox>()
  // An object that is created in each render opens no new session.
  const key = JSON.stringify({ applicationIdentifier, subscriber, subscriberHash, url })
  useEffect(() => {
    const opened = createInbox(JSON.parse(key) as InboxOptions)
    setInbox(opened)
    return () => opened.close()
  }, [key])
  const value = useMemo(() => ({ inbox, texts: { ...englishTexts, ...texts } }), [inbox, texts])
  return <Context.Provider value={value}>{children}</Context.Provider>
}

/**
 * Returns the inbox and the texts of the provider.
 *
 * @throws Error if there is no provider.
 * @example
 * const { inbox } = useInboxContext()
 */
export function useInboxContext(): InboxContext {
  const value = useContext(Context)
  if (!value) throw new Error('Inbox components and hooks must be inside <InboxProvider>.')
  return value
}
