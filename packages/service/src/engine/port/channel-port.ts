import type { JsonObject } from '@trestle/protocol'
import type { Id } from '../../store/schema/column.ts'
import type { MessageRow } from '../../store/schema/message.ts'
import type { JobRow, RunRow } from '../../store/schema/run.ts'
import type { SubscriberRow } from '../../store/schema/subscriber.ts'
import type { Session } from '../../store/store.ts'

/** The outcome of a message step, from which channels create its content. */
export interface ContentSource {
  readonly run: RunRow
  readonly step: Pick<JobRow, 'stepId' | 'type'>
  /** The recipient. */
  readonly subscriber: SubscriberRow
  /** The outputs that the bridge returned; double braces in data are escaped. */
  readonly outputs: JsonObject
  /** Overrides that the bridge returned, by provider id; double braces in data are escaped. */
  readonly providers: JsonObject
  /** The time, in milliseconds since 1970. */
  readonly nowMs: number
}

/** The content of a step's message, with its translations and its layout. */
export interface Content {
  /** The outputs of the step, translated. */
  readonly outputs: JsonObject
  /** Its overrides by provider id, translated. */
  readonly providers: JsonObject
  /** Translation keys of the step without a text in any locale. */
  readonly missing: readonly string[]
  /** Why it cannot be sent. */
  readonly problem?: Problem
  /** The body of an email in its layout; absent if it has none. */
  readonly mail?: MailBody
}

/** The body of an email. */
export interface MailBody {
  readonly html: string
  /** Human-readable warnings about its creation. */
  readonly warnings: readonly string[]
  /** Why it cannot be sent. */
  readonly problem?: Problem
}

/** Why a message cannot be sent to its provider. */
export interface Problem {
  /** A short code, such as `subscriber_email_missing`. */
  readonly code: string
  /** A human-readable message with the problem and its fix. */
  readonly message: string
  /** `warning` if the recipient is unreachable, `error` if the configuration is wrong. */
  readonly status: 'warning' | 'error'
}

/** A message step with its content. */
export interface Delivery extends Pick<ContentSource, 'run' | 'subscriber' | 'nowMs'> {
  readonly job: JobRow
  readonly content: Content
}

/** A history entry of the run. */
export interface DeliveryNote {
  /** A human-readable description of the event. */
  readonly detail: string
  readonly status: 'Success' | 'Warning' | 'Failed' | 'Pending' | 'Queued'
  /** The source of the event. @default 'Internal' */
  readonly source?: 'Credentials' | 'Internal' | 'Payload' | 'Webhook'
  /** Whether it reports a retry. @default false */
  readonly isRetry?: boolean
  /** Row id of the message. */
  readonly messageId?: Id
  readonly providerId?: string
  /** Additional data. */
  readonly raw?: unknown
}

/** The stored messages of a step. */
export interface StoredDelivery {
  /** Row ids of the messages that must be sent with `send`. */
  readonly pending: readonly Id[]
  /** The other messages that this call has stored. @default none */
  readonly settled?: readonly Pick<MessageRow, 'id' | 'status'>[]
  /** History entries. */
  readonly notes: readonly DeliveryNote[]
  /** The delivery provider of the step. */
  readonly providerId: string | null
  /** Whether the recipient has no usable address for any message, so that nothing will be sent. @default false */
  readonly unreachable?: boolean
}

/** The outcome of sending a message. */
export interface SentMessage {
  /** The changed columns. A message that is still `pending` was postponed until `retryAt`. */
  readonly patch: Partial<MessageRow> & Pick<MessageRow, 'status'>
  /** History entries. */
  readonly notes: readonly DeliveryNote[]
}

/** Creates, stores and sends messages. */
export interface ChannelPort {
  /** Creates the content of a step's message, outside of any transaction, because templates may take a while. */
  createContent(source: ContentSource): Promise<Content>
  /**
   * Stores the messages of a step. A second call for the same step stores nothing. Must not access the network, because
   * it runs in the transaction that ends the step.
   */
  store(tx: Session, delivery: Delivery): Promise<StoredDelivery>
  /**
   * Sends a stored message to its provider, outside of any transaction. Does not reject if the provider fails.
   *
   * @param messageId - Row id of the message.
   */
  send(messageId: Id): Promise<SentMessage>
}
