import { expect, test } from 'vitest'
import { toItem } from '../conversations/base/queue-delivery.ts'
import { queueMail } from '../inbound-mail/queue-mail.ts'
import type { QueueItem } from '../queue/queue.ts'
import { createSlots } from '../queue/slots.ts'
import type { ConversationDeliveryRow, ConversationRow } from '../store/schema/agent.ts'
import type { Session } from '../store/store.ts'
import { queueWebhook } from '../webhooks/queue-webhook.ts'

test('webhooks, agent calls and inbound mail count towards the limit of their environment', async () => {
  const items: QueueItem[] = []
  const queue = { add: async (_tx: Session, added: readonly QueueItem[]) => void items.push(...added) }
  const tx = {} as Session
  const environmentId = 'e'
  for (const id of ['1', '2']) {
    await queueWebhook(tx, queue, { deliveries: [{ id, environmentId, endpointId: id }] })
    await queueMail(tx, queue, { id, environmentId, target: `https://example.com/${id}` })
    for (const target of ['bridge', 'platform'] as const) {
      const conversation = { environmentId, agentId: id, integrationIdentifier: id } as ConversationRow
      items.push(toItem(conversation, { id, target } as ConversationDeliveryRow))
    }
  }
  expect(new Set(items.map(({ lane }) => lane)).size).toBe(8)
  const limits = { perEnvironment: 3, total: 20, bulkBesideOthers: 20, nowMs: () => 0 }
  const slots = createSlots(limits, () => undefined)
  expect(items.filter(({ lane }) => slots.take(lane, 'fresh'))).toHaveLength(3)
  expect(slots.take('f/webhook 1', 'fresh')).toBeDefined()
})
