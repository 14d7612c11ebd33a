import type { ChannelPort, SentMessage } from '../engine/port/channel-port.ts'
import type { MessageRow } from '../store/schema/message.ts'
import type { Store } from '../store/store.ts'
import { type SendOptions, sendMessage } from './send-message.ts'
import { storeMessages } from './store-messages.ts'
import { toDelivery } from './to-delivery.ts'

/** Dependencies of the channels. */
export interface ChannelOptions extends SendOptions {
  /** Where messages are stored. */
  readonly store: Pick<Store, 'db'>
}

/**
 * Creates the channels: first the messages of a step are stored, in the transaction that ends it, then those that leave
 * the service are sent. In-app messages and those that go to the outbox are delivered by being stored. A process that
 * dies before a message was sent leaves it `pending`; sent again, it has the same Message-ID or idempotency key.
 *
 * @param options - Store, vault, outbound policy and clock.
 */
export function createChannels(options: ChannelOptions): ChannelPort {
  return Object.freeze<ChannelPort>({
    async store(tx, delivery) {
      const { messages, notes } = await storeMessages(tx, toDelivery(delivery), options.vault)
      const pending = messages.filter(({ status }) => status === 'pending').map(({ id }) => id)
      const unreachable = messages.length > 0 && messages.every(({ status }) => status === 'warning')
      return { pending, notes, providerId: messages[0]?.providerId ?? null, unreachable }
    },
    async send(messageId) {
      const message = await options.store.db
        .selectFrom('messages')
        .selectAll()
        .where('id', '=', messageId)
        .executeTakeFirst()
      // A message that was deleted while it waited is nobody's any more.
      if (!message) return { patch: { status: 'error' }, notes: [] }
      if (message.attempts > 0 && !(await isIntegrationActive(options.store, message))) return toGivenUp(message)
      return sendMessage(message, options)
    },
  })
}

/** A message that was put off waits for minutes, in which whoever runs the service may stop its integration. */
async function isIntegrationActive(store: Pick<Store, 'db'>, { integrationId }: MessageRow): Promise<boolean> {
  if (integrationId === null) return true
  const rows = store.db.selectFrom('integrations').select('id').where('id', '=', integrationId)
  return (await rows.where('active', '=', 1).executeTakeFirst()) !== undefined
}

function toGivenUp({ id, providerId }: MessageRow): SentMessage {
  const code = 'integration_stopped'
  const text = 'The integration was disabled or deleted before its provider took the message.'
  const about = { messageId: id, ...(providerId ? { providerId } : {}), raw: { code, message: text } }
  return {
    patch: { status: 'error', errorId: code, errorText: text, delivery: null, retryAt: null },
    notes: [{ ...about, detail: text, status: 'Failed', source: 'Credentials' }],
  }
}
