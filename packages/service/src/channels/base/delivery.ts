import type { JsonObject, MessageType } from '@trestle/protocol'
import type { MailBody, Problem } from '../../engine/port/channel-port.ts'
import type { MessageRow } from '../../store/schema/message.ts'
import type { RequestAuth } from './request-auth.ts'
import type { Blame, RefusalMeaning } from './send-error.ts'

/** A step's message before it is stored: everything that determines its content, recipient and sender. */
export interface Delivery {
  /** Row id of the run's environment. */
  readonly environmentId: string
  readonly run: DeliveryRun
  /** The step of the run. */
  readonly job: {
    /** Row id of the step's job; a message is stored once per step and integration. */
    readonly id: string
    readonly stepId: string
    /** The step type. */
    readonly type: MessageType
  }
  /** The recipient, as returned by the API. */
  readonly subscriber: DeliverySubscriber
  /** The outputs of the step. */
  readonly outputs: JsonObject
  /** Provider-specific outputs of the step. */
  readonly providers: JsonObject
  /** The body of an email in its layout; absent if it has none. */
  readonly mail?: MailBody
  /** The time, in milliseconds since 1970. */
  readonly nowMs: number
}

/** The run that sends the message. */
export interface DeliveryRun {
  readonly id: string
  /** The transaction id of the trigger. */
  readonly transactionId: string
  /** Row id of the workflow. */
  readonly workflowId: string
  readonly workflowIdentifier: string
  /** The payload of the trigger. */
  readonly payload: JsonObject
  /** The overrides of the trigger. */
  readonly overrides: JsonObject
  /** A snapshot of the trigger's tenant, if any. */
  readonly tenant?: JsonObject
  /** The context keys, each as `type:id`. */
  readonly contextKeys: readonly string[]
  /** The tags of the workflow. */
  readonly tags: readonly string[]
  /** `none`, `low`, `medium` or `high`. */
  readonly severity: string
  /** Whether the workflow is critical. */
  readonly critical: boolean
}

/** The recipient's fields that channels use; all other fields are passed through. */
export interface DeliverySubscriber {
  readonly _id: string
  /** The subscriber id, chosen by the app. */
  readonly subscriberId: string
  readonly email?: string | null
  readonly phone?: string | null
  /** The locale, such as `en_US`. */
  readonly locale?: string | null
  /** The recipient's addresses at chat and push providers. */
  readonly channels?: readonly SubscriberChannel[] | null
  readonly [name: string]: unknown
}

/** A subscriber's address at one provider. */
export interface SubscriberChannel {
  readonly providerId: string
  /** Row id of the integration; absent or empty for all integrations of the provider. */
  readonly _integrationId?: string | null
  readonly integrationIdentifier?: string | null
  /** Webhook, channel or device tokens. */
  readonly credentials: JsonObject
}

export type Outgoing = OutgoingMail | OutgoingRequest

/** An email for an SMTP server. */
export interface OutgoingMail {
  /** Discriminates the kinds. */
  readonly kind: 'mail'
  /** The fields of the email, in Nodemailer's format. */
  readonly mail: JsonObject
}

/** A request to a webhook or to a provider's API. */
export interface OutgoingRequest {
  /** Discriminates the kinds. */
  readonly kind: 'request'
  /** The receiver, as error messages name it. @default 'webhook' */
  readonly receiver?: 'webhook' | 'provider'
  readonly url: string
  readonly method: string
  readonly headers: Readonly<Record<string, string>>
  readonly body: JsonObject
  /** The format of the body. @default 'json' */
  readonly encoding?: 'json' | 'form'
  /** The body path of the receiver's idempotency key, a UUID, which is sent in addition to the header. */
  readonly keyPath?: readonly string[]
  /** Headers that contain the same key. */
  readonly keyHeaders?: readonly string[]
  /** Whether it is sent over HTTP/2. @default false */
  readonly http2?: boolean
  /** How it is authenticated when it is sent. */
  readonly auth?: RequestAuth
  /** The key that signs the body, if the receiver verifies signatures. */
  readonly signingKey?: string
  /** Where the response contains the provider's message id: `data.id`, `header:x-id` or, in XML, `xml:MessageId`. */
  readonly idPath?: string
  /** What a response must contain, in addition to a success status, for the message to count as accepted. */
  readonly expects?: ExpectedAnswer
  /** The reason not to send it, reported when it would be sent, as for an email over SMTP. */
  readonly refusal?: { readonly code: string; readonly message: string; readonly blame: Blame }
  /** Secrets that must not appear in errors or logs. */
  readonly secrets?: readonly string[]
}

/**
 * Checks a response with a success status. It has one result per recipient, or is the only result itself. The message
 * counts as accepted if at least one result does.
 */
export interface ExpectedAnswer {
  /** The field with the list of results. @default the response is the only result */
  readonly list?: string
  /** The result field that contains its status, or the id of an accepted message. */
  readonly field: string
  /** The value of this field for an accepted message. @default any id */
  readonly value?: string
  /** The result field that contains the reason for a rejection. */
  readonly reason: string
  /** The path of a rejection's code in the result. @default `field` */
  readonly codePath?: string
  /** The meaning of each code that does not reject the message or its recipient. @default none */
  readonly meanings?: Readonly<Record<string, RefusalMeaning>>
}

/** A message of one channel for one integration, ready to be stored. */
export interface Draft {
  /** The columns set by the channel. */
  readonly columns: Partial<MessageRow>
  /** The human-readable recipient: an address, a number, or the subscriber. */
  readonly recipient: string
  /**
   * The message to send, or to keep in the outbox if there is no delivering integration; absent for in-app messages.
   */
  readonly outgoing?: Outgoing
  /** Why the message cannot be sent. */
  readonly problem?: Problem
  /** Human-readable warnings about its creation. */
  readonly warnings: readonly string[]
}
