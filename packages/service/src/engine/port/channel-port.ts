import type { JsonObject } from '@trestle/protocol'
import type { Id } from '../../store/schema/column.ts'
import type { MessageRow } from '../../store/schema/message.ts'
import type { JobRow, RunRow } from '../../store/schema/run.ts'
import type { SubscriberRow } from '../../store/schema/subscriber.ts'
import type { Session } from '../../store/store.ts'

/** A message step that has been answered, for the channels to make messages of. */
export interface Delivery {
  /** The run. */
  readonly run: RunRow
  /** The step. */
  readonly job: JobRow
  /** The recipient as stored now. */
  readonly subscriber: SubscriberRow
  /** The bridge's answer. */
  readonly outputs: JsonObject
  /** Overrides by provider id, of the bridge's answer. */
  readonly providers: JsonObject
  /** The time, milliseconds since 1970. */
  readonly nowMs: number
}

/** A line for the history of the run. */
export interface DeliveryNote {
  /** The event, told for people. */
  readonly detail: string
  /** How it stands. */
  readonly status: 'Success' | 'Warning' | 'Failed' | 'Pending' | 'Queued'
  /** The source of the event. @default 'Internal' */
  readonly source?: 'Credentials' | 'Internal' | 'Payload' | 'Webhook'
  /** Whether it tells of something that is done again. @default false */
  readonly isRetry?: boolean
  /** Row id of the message. */
  readonly messageId?: Id
  /** The delivery provider. */
  readonly providerId?: string
  /** Data about it. */
  readonly raw?: unknown
}

/** The stored part of a delivery. */
export interface StoredDelivery {
  /** Row ids of the messages that must still leave the house, through `send`. */
  readonly pending: readonly Id[]
  /** Lines for the history. */
  readonly notes: readonly DeliveryNote[]
  /** The delivery provider, for the step's row. */
  readonly providerId: string | null
  /** Whether the recipient has no usable address for any of the messages, so that nothing will be sent. @default false */
  readonly unreachable?: boolean
}

/** The outcome of sending a message. */
export interface SentMessage {
  /** The changes of its row; `status` at least. One that is `pending` still has been put off until `retryAt`. */
  readonly patch: Partial<MessageRow> & Pick<MessageRow, 'status'>
  /** Lines for the history. */
  readonly notes: readonly DeliveryNote[]
}

/** The engine's way to messages. */
export interface ChannelPort {
  /**
   * Stores the messages of a step, once: a second call for the same step stores nothing more. Runs inside the
   * transaction that ends the step, so it must not reach out of the house.
   *
   * @param tx - The session of the transaction.
   * @param delivery - What is to be delivered.
   */
  store(tx: Session, delivery: Delivery): Promise<StoredDelivery>
  /**
   * Hands a stored message to its provider, outside of any transaction. Does not reject for failures of the provider.
   *
   * @param messageId - Row id of the message.
   */
  send(messageId: Id): Promise<SentMessage>
}
