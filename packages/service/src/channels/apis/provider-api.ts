import type { JsonObject, MessageType } from '@trestle/protocol'
import type { ExpectedAnswer } from '../base/delivery.ts'
import type { RequestAuth } from '../base/request-auth.ts'

/** A message in the form that all provider APIs receive. */
export interface ApiMessage {
  /** The recipient: an email address, a phone number or a chat; empty for push messages. */
  readonly to: string
  /** The sender: a phone number or a name; for emails, see `mail`. */
  readonly from: string | undefined
  /** The title of a push message. */
  readonly title: string
  /** The text of an SMS, a push message or a chat message. */
  readonly text: string
  /** The device tokens of a push message. */
  readonly deviceTokens: readonly string[]
  /** The fields of an email, in Nodemailer's format. */
  readonly mail: JsonObject
}

/** An answer that rejects a message. */
export interface RefusingAnswer {
  readonly status: number
  /** Headers, in lowercase. */
  readonly headers: Readonly<Record<string, string | readonly string[] | undefined>>
  /** The body. */
  readonly text: string
  /** The body as a JSON object; empty for any other body. */
  readonly body: JsonObject
}

/**
 * The meaning of a refusal. `integration`, `message` and `unknown` are as for {@link SendError}. `temporary`: the
 * provider has not accepted the message and may accept it later. `token`: the access token is no longer accepted.
 */
export interface Refusal {
  readonly meaning: 'integration' | 'message' | 'unknown' | 'temporary' | 'token'
  /** A short code. @default `http_` and the status */
  readonly code?: string
  /** The wait that the provider asks for, in milliseconds. @default that of the header `retry-after` */
  readonly waitMs?: number
}

/** The address of a chat message's recipient. */
export interface ChatAddress {
  /** The type of a channel endpoint. */
  readonly endpoint: string
  /** The field of the endpoint that holds the address. */
  readonly field: string
  /** Whether the subscriber's phone number is an address too. */
  readonly isPhone: boolean
}

/** The description of a provider's HTTP API. */
export interface ProviderApi {
  /** The channel it delivers. */
  readonly channel: MessageType
  /** The base URL, unless the credentials have a `baseUrl`; credential names are in braces. */
  readonly baseUrl: string
  /** The required credentials. */
  readonly needs: readonly string[]
  /** The path after the base URL; credential names are in braces, and `{to}` is the recipient or device. */
  readonly path: string
  /**
   * Headers; credential names are in braces, and `basic(a:b)` is replaced by HTTP basic authentication of two
   * credentials.
   */
  readonly headers: Readonly<Record<string, string>>
  /** The format of the body. @default 'json' */
  readonly encoding?: 'json' | 'form'
  /** Whether it requires HTTP/2. @default false */
  readonly http2?: boolean
  /**
   * The path in the body of the provider's idempotency key, a UUID, or of a tag by which a device replaces a repeated
   * message. All providers receive the header `idempotency-key`, which Resend and Telnyx support; the others support no
   * key.
   */
  readonly keyPath?: readonly string[]
  /** Headers that receive the same key. @default none */
  readonly keyHeaders?: readonly string[]
  /** The path of the message's id in the answer, or the header or XML element that holds it. */
  readonly idPath: string
  /** What the answer to an accepted message contains, in addition to a success status. */
  readonly expects?: ExpectedAnswer
  /** Whether each device is sent its own request, and so its own message. @default false */
  readonly isPerDevice?: boolean
  /** Whether an SMS may lack a sender. @default false */
  readonly mayLackSender?: boolean
  /** The address of a chat message's recipient. @default chat messages are not sent */
  readonly address?: ChatAddress
  /** The field of the body that overrides are merged into. @default the body itself */
  readonly root?: string
  /** Returns additional credentials that are contained in the saved ones. @default none */
  readonly expand?: (credentials: JsonObject) => JsonObject
  /** Returns what is wrong with complete credentials, as the end of a sentence. @default nothing */
  readonly findFault?: (credentials: JsonObject) => string | undefined
  /** Returns how requests prove their sender, if headers are not enough. @default they are */
  readonly toAuth?: (credentials: JsonObject) => RequestAuth
  /** Returns the meaning of a refusal. @default by its status */
  readonly explain?: (answer: RefusingAnswer) => Refusal | undefined
  /** Returns the body. `fields` are the overrides that will be merged into it. */
  toBody(message: ApiMessage, credentials: JsonObject, fields: JsonObject): JsonObject
}
