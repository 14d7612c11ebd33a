import type { JsonObject, MessageType } from '@trestle/protocol'
import type { ExpectedAnswer } from '../base/delivery.ts'
import type { RequestAuth } from '../base/request-auth.ts'
import type { RefusalMeaning } from '../base/send-error.ts'

/** A message in the format that is passed to all provider APIs. */
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
  /** The fields of an email, in Nodemailer's format; for `toBody`, its content is decoded. */
  readonly mail: JsonObject
}

/** A response that rejects a message. */
export interface RefusingAnswer {
  readonly status: number
  /** Headers, in lowercase. */
  readonly headers: Readonly<Record<string, string | readonly string[] | undefined>>
  /** The body. */
  readonly text: string
  /** The body as a JSON object; empty for any other body. */
  readonly body: JsonObject
}

/** A rejection. */
export interface Refusal {
  /**
   * Its meaning. `token`: the access token is no longer valid. `accepted`: the provider rejects a duplicate of a message
   * that it has already accepted.
   */
  readonly meaning: RefusalMeaning | 'token' | 'accepted'
  /** A short error code. @default `http_` and the status */
  readonly code?: string
  /** The delay that the provider requests, in milliseconds. @default from the `retry-after` header */
  readonly waitMs?: number
}

/** Where the address of a chat message's recipient is found. */
export interface ChatAddress {
  /** The type of a channel endpoint. */
  readonly endpoint: string
  /** The endpoint field that contains the address. */
  readonly field: string
  /** Whether the subscriber's phone number can also be used as the address. */
  readonly isPhone: boolean
}

/** The description of a provider's HTTP API. */
export interface ProviderApi {
  /** The channel for which it delivers messages. */
  readonly channel: MessageType
  /** The base URL, unless the credentials have a `baseUrl`; credential names are in braces. */
  readonly baseUrl: string
  /** The required credentials. */
  readonly needs: readonly string[]
  /** The path after the base URL; credential names are in braces, and `{to}` is the recipient or device. */
  readonly path: string
  /**
   * Headers; credential names are in braces, and `basic(a:b)` is replaced with HTTP basic authentication using two
   * credentials.
   */
  readonly headers: Readonly<Record<string, string>>
  /** The format of the body. @default 'json' */
  readonly encoding?: 'json' | 'form'
  /** Whether it requires HTTP/2. @default false */
  readonly http2?: boolean
  /**
   * The body path of the provider's idempotency key, a UUID, or of a tag with which a device replaces a repeated
   * message. All requests also have the header `idempotency-key`.
   */
  readonly keyPath?: readonly string[]
  /** Headers that receive the same key. @default none */
  readonly keyHeaders?: readonly string[]
  /**
   * How a message that is sent twice is handled: the provider sends it once, or the device replaces the first one.
   * @default it arrives twice
   */
  readonly recognizesRepeats?: 'provider' | 'device'
  /** The path of the message id in the response, or the header or XML element that contains it. */
  readonly idPath: string
  /** What a response must contain, in addition to a success status, for the message to count as accepted. */
  readonly expects?: ExpectedAnswer
  /** Whether each device gets a separate request, and therefore a separate message. @default false */
  readonly isPerDevice?: boolean
  /** Whether an SMS can be sent without a sender. @default false */
  readonly mayLackSender?: boolean
  /** Where the address of a chat message's recipient is found. @default chat messages are not sent */
  readonly address?: ChatAddress
  /** The body field into which overrides are merged. @default the body itself */
  readonly root?: string
  /** Returns additional credentials that are contained in the saved ones. @default none */
  readonly expand?: (credentials: JsonObject) => JsonObject
  /** Returns what is wrong with complete credentials, worded as the end of a sentence. @default nothing */
  readonly findFault?: (credentials: JsonObject) => string | undefined
  /** Returns how requests are authenticated, if headers are not sufficient. @default headers are sufficient */
  readonly toAuth?: (credentials: JsonObject) => RequestAuth
  /** Returns the meaning of a rejection. @default based on its status */
  readonly explain?: (answer: RefusingAnswer) => Refusal | undefined
  /**
   * Returns what the API does not support in an email, worded as a sentence. Another integration may support it.
   *
   * @default everything is supported
   */
  readonly findUnsupported?: (mail: JsonObject) => string | undefined
  /** Returns the request body. `fields` contains all overrides that will be merged into it. */
  toBody(message: ApiMessage, credentials: JsonObject, fields: JsonObject): JsonObject
}
