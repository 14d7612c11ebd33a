import type { JsonObject, MessageType } from '@trestle/protocol'
import type { ExpectedAnswer } from '../base/delivery.ts'

/** A message as every provider's API is given it. */
export interface ApiMessage {
  /** The recipient: a mail address or a phone number; empty for push messages. */
  readonly to: string
  /** The sender: a phone number or a name; of a mail see `mail`. */
  readonly from: string | undefined
  /** The title of a push message. */
  readonly title: string
  /** The text of an SMS or a push message. */
  readonly text: string
  /** The devices of a push message. */
  readonly deviceTokens: readonly string[]
  /** The fields of a mail, in Nodemailer's names. */
  readonly mail: JsonObject
}

/** How the HTTP API of a provider takes a message. */
export interface ProviderApi {
  /** The channel it delivers. */
  readonly channel: MessageType
  /** The address of the API, unless the credentials have a `baseUrl`. */
  readonly baseUrl: string
  /** The credentials without which nothing can be sent. */
  readonly needs: readonly string[]
  /** The path below the address; credentials stand in braces. */
  readonly path: string
  /** Headers; credentials stand in braces, and `basic(a:b)` is what HTTP's basic authentication makes of two. */
  readonly headers: Readonly<Record<string, string>>
  /** The form of the body. @default 'json' */
  readonly encoding?: 'json' | 'form'
  /**
   * The path in the body of the key by which it knows a message that is sent again, a UUID. The header `idempotency-key`,
   * which Resend and Telnyx look at, is sent to all; the others know of no key.
   */
  readonly keyPath?: readonly string[]
  /** The path of the message's id in the answer, or the header that holds it. */
  readonly idPath: string
  /** The answer, beside a good status, to a message that was taken. */
  readonly expects?: ExpectedAnswer
  /** Returns the body. */
  toBody(message: ApiMessage, credentials: JsonObject): JsonObject
}
