import type { Inbox } from '../store/create-inbox.ts'
import type { InboxTexts } from '../view/base/texts.ts'
import type { InboxSubscriber } from '../wire/inbox-options.ts'

/** The properties of an element. */
export interface ElementSettings {
  /** The public identifier of the environment. */
  applicationIdentifier: string | undefined
  /** The subscriber or their id. */
  subscriber: string | InboxSubscriber | undefined
  /** The hash of the subscriber id, computed on your server. Required in Production. */
  subscriberHash: string | undefined
  /** URL of the notification service. */
  url: string | undefined
  /** Language of times and dates. @default the `lang` of the element or its closest ancestor */
  locale: string | undefined
  /** Replacements for the English texts. */
  texts: Partial<InboxTexts> | undefined
}

/** An inbox element. All settings except `texts` can also be set as attributes, such as `application-identifier`. */
export interface InboxElement extends HTMLElement, ElementSettings {
  /** The headless inbox; undefined until the element is in a page and its settings are complete. */
  readonly inbox: Inbox | undefined
}
