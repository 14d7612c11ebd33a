import type { JsonObject, MessageType } from '@trestle/protocol'
import type { MessageRow } from '../../store/schema/message.ts'

/** A step's message before it is stored: everything that decides what is sent, to whom and by whom. */
export interface Delivery {
  /** Row id of the environment the run belongs to. */
  readonly environmentId: string
  /** The run. */
  readonly run: DeliveryRun
  /** The step of the run. */
  readonly job: {
    /** Row id; a message is stored once for it and an integration. */
    readonly id: string
    /** The step's own identifier. */
    readonly stepId: string
    /** The kind of step. */
    readonly type: MessageType
  }
  /** The recipient as the API shows it. */
  readonly subscriber: DeliverySubscriber
  /** The outputs of the step. */
  readonly outputs: JsonObject
  /** The outputs of the step for single providers. */
  readonly providers: JsonObject
  /** The time, in milliseconds since 1970. */
  readonly nowMs: number
}

/** The run a message belongs to. */
export interface DeliveryRun {
  /** Row id. */
  readonly id: string
  /** The trigger's transaction. */
  readonly transactionId: string
  /** Row id of the workflow. */
  readonly workflowId: string
  /** The workflow's identifier. */
  readonly workflowIdentifier: string
  /** The trigger's payload. */
  readonly payload: JsonObject
  /** The trigger's overrides. */
  readonly overrides: JsonObject
  /** The tenant as it was, where the trigger named one. */
  readonly tenant?: JsonObject
  /** A list of `type:id`. */
  readonly contextKeys: readonly string[]
  /** The workflow's tags. */
  readonly tags: readonly string[]
  /** `none`, `low`, `medium` or `high`. */
  readonly severity: string
  /** Whether the workflow is critical. */
  readonly critical: boolean
}

/** The recipient, as far as channels look at it; every other field is passed on. */
export interface DeliverySubscriber {
  /** Row id. */
  readonly _id: string
  /** The caller's own identifier. */
  readonly subscriberId: string
  /** The mail address. */
  readonly email?: string | null
  /** The phone number. */
  readonly phone?: string | null
  /** The language, such as `en_US`. */
  readonly locale?: string | null
  /** Addresses at chat and push providers. */
  readonly channels?: readonly SubscriberChannel[] | null
  /** Further fields. */
  readonly [name: string]: unknown
}

/** A subscriber's address at one provider. */
export interface SubscriberChannel {
  /** The provider. */
  readonly providerId: string
  /** Row id of the integration it is for; absent or empty for all of the provider. */
  readonly _integrationId?: string | null
  /** The identifier of the integration it is for. */
  readonly integrationIdentifier?: string | null
  /** Webhook, channel or device tokens. */
  readonly credentials: JsonObject
}

/** Why a message cannot be handed to its provider. */
export interface Problem {
  /** A short code, such as `subscriber_email_missing`. */
  readonly code: string
  /** The fault and its cure, for people. */
  readonly message: string
  /** `warning` when the recipient cannot be reached, `error` when something is set up wrongly. */
  readonly status: 'warning' | 'error'
}

/** A request that leaves the service. */
export type Outgoing = OutgoingMail | OutgoingRequest

/** A mail for an SMTP server. */
export interface OutgoingMail {
  /** Tells the kinds apart. */
  readonly kind: 'mail'
  /** The fields of the mail, in Nodemailer's names. */
  readonly mail: JsonObject
}

/** A request to a webhook. */
export interface OutgoingRequest {
  /** Tells the kinds apart. */
  readonly kind: 'request'
  /** Where to. */
  readonly url: string
  /** The HTTP method. */
  readonly method: string
  /** Headers in lowercase. */
  readonly headers: Readonly<Record<string, string>>
  /** The body. */
  readonly body: JsonObject
  /** How the body is written. @default 'json' */
  readonly encoding?: 'json' | 'form'
  /** The path in the body where the receiver looks for its key against double delivery, a UUID, beside the header. */
  readonly keyPath?: readonly string[]
  /** The key that signs the body, where the receiver checks it. */
  readonly signingKey?: string
  /** The path of the provider's message id in its answer, such as `data.id`, or `header:` and the name of a header. */
  readonly idPath?: string
  /** The answer, beside a good status, to a message that was taken. */
  readonly expects?: ExpectedAnswer
  /** Texts of the credentials that no error and no log may show. */
  readonly secrets?: readonly string[]
}

/** An answer that says for each recipient what became of the message; one that was taken is enough. */
export interface ExpectedAnswer {
  /** The field of the answer that holds the list, an item for each recipient. */
  readonly list: string
  /** The field of an item that says whether it was taken. */
  readonly field: string
  /** The value of that field then. */
  readonly value: string
  /** The field of an item that says why it was not. */
  readonly reason: string
}

/** A message of one channel for one integration, ready to be stored. */
export interface Draft {
  /** The columns the channel decides. */
  readonly columns: Partial<MessageRow>
  /** Whom it is for, for people: an address, a number, or the subscriber. */
  readonly recipient: string
  /** The message as it leaves the service, or as the outbox keeps it where no integration delivers it; absent for in-app messages. */
  readonly outgoing?: Outgoing
  /** Why it cannot be handed over. */
  readonly problem?: Problem
  /** Warnings about how it was made, for people. */
  readonly warnings: readonly string[]
}
