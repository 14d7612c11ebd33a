import type { Card } from '../cards/card.ts'

/** A redirect a recipient follows by a click. */
export interface Redirect {
  /** `https://...`, `http://...`, or a path that starts with a single `/`. */
  readonly url: string
  /** Where the page opens. */
  readonly target?: '_self' | '_blank' | '_parent' | '_top' | '_unfencedTop'
}

/** A button of an in-app message. */
export interface InAppAction {
  /** The button's text. */
  readonly label: string
  /** Where it leads. */
  readonly redirect?: Redirect
}

/** The output of an email step's handler. */
export interface EmailOutput {
  /** The subject, as plain text, not empty. */
  readonly subject: string
  /** The body, as HTML. */
  readonly body: string
  /** The sender, where it differs from the provider's. */
  readonly from?: { readonly email?: string; readonly name?: string }
  /** The address replies go to. */
  readonly replyTo?: string
  /** The line mail clients show behind the subject. */
  readonly preheader?: string
  /** Leaves sender and reply address to the provider. */
  readonly useProviderDefaults?: boolean
}

/** The output of an SMS or tool step's handler. */
export interface TextOutput {
  /** The text. */
  readonly body: string
}

/** The output of a push step's handler. */
export interface PushOutput {
  /** The title. */
  readonly subject: string
  /** The text. */
  readonly body: string
}

/** The output of a chat step's handler: text, a card, or both. */
export type ChatOutput =
  | { readonly body: string; readonly card?: Card }
  | { readonly card: Card; readonly body?: string }

/** The output of an in-app step's handler; a subject or a body is needed. */
export interface InAppOutput {
  /** The subject, as plain text. */
  readonly subject?: string
  /** The body; may hold simple HTML. */
  readonly body?: string
  /** URL of a picture. */
  readonly avatar?: string
  /** The first button. */
  readonly primaryAction?: InAppAction
  /** The second button. */
  readonly secondaryAction?: InAppAction
  /** Where a click on the message leads. */
  readonly redirect?: Redirect
  /** Free fields, passed on untouched. */
  readonly data?: Readonly<Record<string, unknown>>
}

/** The result of an in-app message that later steps see. */
export interface InAppResult {
  /** Whether the recipient has seen it. */
  readonly seen: boolean
  /** Whether the recipient has read it. */
  readonly read: boolean
  /** When it was last seen, ISO 8601. */
  readonly lastSeenDate: string | null
  /** When it was last read, ISO 8601. */
  readonly lastReadDate: string | null
}
