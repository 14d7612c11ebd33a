import type { JsonObject, MessageType } from '@trestle/protocol'
import type { ExpectedAnswer } from '../base/delivery.ts'

/** A message in the form that all provider APIs receive. */
export interface ApiMessage {
  /** The recipient: an email address or a phone number; empty for push messages. */
  readonly to: string
  /** The sender: a phone number or a name; for emails, see `mail`. */
  readonly from: string | undefined
  /** The title of a push message. */
  readonly title: string
  /** The text of an SMS or a push message. */
  readonly text: string
  /** The device tokens of a push message. */
  readonly deviceTokens: readonly string[]
  /** The fields of an email, in Nodemailer's format. */
  readonly mail: JsonObject
}

/** The description of a provider's HTTP API. */
export interface ProviderApi {
  /** The channel it delivers. */
  readonly channel: MessageType
  /** The base URL, unless the credentials have a `baseUrl`. */
  readonly baseUrl: string
  /** The required credentials. */
  readonly needs: readonly string[]
  /** The path after the base URL; credential names are in braces. */
  readonly path: string
  /**
   * Headers; credential names are in braces, and `basic(a:b)` is replaced by HTTP basic authentication of two
   * credentials.
   */
  readonly headers: Readonly<Record<string, string>>
  /** The format of the body. @default 'json' */
  readonly encoding?: 'json' | 'form'
  /**
   * The path in the body of the provider's idempotency key, a UUID. All providers receive the header `idempotency-key`,
   * which Resend and Telnyx support; the others support no key.
   */
  readonly keyPath?: readonly string[]
  /** The path of the message's id in the answer, or the header that holds it. */
  readonly idPath: string
  /** What the answer to an accepted message contains, in addition to a success status. */
  readonly expects?: ExpectedAnswer
  toBody(message: ApiMessage, credentials: JsonObject): JsonObject
}
