import type { ChannelPort } from '../engine/port/channel-port.ts'
import type { MessageRow } from '../store/schema/message.ts'
import type { Store } from '../store/store.ts'
import { createContent } from './content/create-content.ts'
import { withContent } from './content/with-content.ts'
import { leaveIntegration } from './leave-integration.ts'
import { type SendOptions, sendMessage } from './send-message.ts'
import { storeMessages } from './store-messages.ts'
import { toDelivery } from './to-delivery.ts'

/** Dependencies of the channels. */
export interface ChannelOptions extends SendOptions {
  readonly store: Pick<Store, 'db'>
}

/**
 * Creates the channels. The messages of a step are stored in the transaction that completes it; messages for providers
 * are sent afterwards. In-app and outbox messages count as delivered once they are stored. If the process dies before
 * sending, the message stays `pending`; a retry uses the same Message-ID or idempotency key.
 *
 * @param options - Store, vault, network policy and clock.
 */
export function createChannels(options: ChannelOptions): ChannelPort {
  return Object.freeze<ChannelPort>({
    createContent({ step, ...rows }) {
      const delivery = toDelivery({ ...rows, job: { id: '', ...step } })
      return createContent(options.store.db, delivery)
    },
    async store(tx, { content, ...rows }) {
      const delivery = withContent(toDelivery({ ...rows, ...content }), content)
      const { messages, notes, added } = await storeMessages(tx, { delivery, content }, options.vault)
      const pending = messages.filter(({ status }) => status === 'pending').map(({ id }) => id)
      const unreachable = messages.length > 0 && messages.every(({ status }) => status === 'warning')
      const settled = added.filter(({ status }) => status !== 'pending')
      return { pending, settled, notes, providerId: messages[0]?.providerId ?? null, unreachable }
    },
    async send(messageId) {
      const message = await options.store.db
        .selectFrom('messages')
        .selectAll()
        .where('id', '=', messageId)
        .executeTakeFirst()
      // The message was deleted while it waited.
      if (!message) return { patch: { status: 'error' }, notes: [] }
      const isWaiting = message.status === 'pending' && message.attempts > 0
      if (isWaiting && !(await isIntegrationActive(options.store, message))) return leaveIntegration(message, options)
      return sendMessage(message, options)
    },
  })
}

/**
 * Returns whether an integration is still active. A deferred message waits for minutes, during which an operator may
 * disable the integration.
 */
async function isIntegrationActive(store: Pick<Store, 'db'>, { integrationId }: MessageRow): Promise<boolean> {
  if (integrationId === null) return true
  const rows = store.db.selectFrom('integrations').select('id').where('id', '=', integrationId)
  return (await rows.where('active', '=', 1).executeTakeFirst()) !== undefined
}
