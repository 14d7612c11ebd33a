import type { JsonObject } from '@trestle/protocol'
import type { Id } from '../../store/schema/column.ts'
import type { MessageRow } from '../../store/schema/message.ts'
import type { JobRow, RunRow } from '../../store/schema/run.ts'
import type { SubscriberRow } from '../../store/schema/subscriber.ts'
import type { Session } from '../../store/store.ts'

/** The outcome of a message step, from which channels create messages. */
export interface Delivery {
  readonly run: RunRow
  readonly job: JobRow
  /** The current recipient. */
  readonly subscriber: SubscriberRow
  /** The outputs that the bridge returned. */
  readonly outputs: JsonObject
  /** Overrides that the bridge returned, by provider id. */
  readonly providers: JsonObject
  /** The time, in milliseconds since 1970. */
  readonly nowMs: number
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

/** Stores and sends messages. */
export interface ChannelPort {
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
