import type { MessageRow } from '../store/schema/message.ts'
import type { Session } from '../store/store.ts'
import type { Delivery } from './delivery.ts'
import { type SendOptions, type SendResult, sendMessage } from './send-message.ts'
import { type StoredMessages, storeMessages } from './store-messages.ts'

/** What steps' messages go through: first they are stored, then those that leave the service are sent. */
export interface Channels {
  /**
   * Stores the messages of a step in the transaction in which the step ends. In-app messages and those that go to the
   * outbox are delivered by that.
   *
   * @param tx - The transaction.
   * @param delivery - The message.
   */
  store(tx: Session, delivery: Delivery): Promise<StoredMessages>
  /**
   * Sends a stored message that is `pending`, outside of any transaction. Never rejects for a fault of the provider.
   * A process that dies in between leaves it `pending`; sent again, it has the same Message-ID or idempotency key.
   *
   * @param message - The row.
   * @param signal - Ends the sending; the message then counts as failed.
   */
  send(message: MessageRow, signal?: AbortSignal): Promise<SendResult>
}

/**
 * Creates the channels.
 *
 * @param options - Store, vault, outbound policy and clock.
 */
export function createChannels(options: SendOptions): Channels {
  return Object.freeze<Channels>({
    store: (tx, delivery) => storeMessages(tx, delivery, options.vault),
    send: (message, signal) => sendMessage(message, options, signal),
  })
}
