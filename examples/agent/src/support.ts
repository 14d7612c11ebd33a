import { workflow } from '@trestle/core'
import { agent } from '@trestle/core/agents'
import { z } from 'zod'
import { readIntent, speak } from './model.ts'

/** Notifies the team that a customer is waiting for a person. */
export const customerWaits = workflow(
  'customer-waits',
  async ({ step, payload }) => {
    await step.chat('tell', () => ({ body: `A customer waits: ${payload.reason}` }))
  },
  { payloadSchema: z.object({ reason: z.string(), conversationId: z.string() }) },
)

/** Completed refunds by order; a real app would use a database. */
export const refunds = new Map<string, string>()

/** Answers questions about orders, refunds orders after approval, and hands over to a person. */
export const support = agent('support', {
  actions: {
    refund: { schema: z.object({ orderId: z.string() }) },
    reason: {},
  },

  onMessage: async ({ message, conversation, reply, approve, trigger, setMetadata, typing, signal }) => {
    // A person is handling the conversation, so the agent does not reply.
    if (conversation.metadata['with'] === 'person') return
    await typing()
    const intent = readIntent(message.text)
    if (intent.type === 'say') await reply(speak(intent.text, signal))
    if (intent.type === 'refund') {
      const { orderId } = intent
      await approve('refund', {
        text: `Refund order ${orderId}?`,
        value: { orderId },
        labels: { approve: 'Refund', reject: 'Keep it' },
      })
    }
    if (intent.type === 'hand-over') {
      await trigger(customerWaits, {
        to: 'support-team',
        payload: { reason: intent.reason, conversationId: conversation.id },
      })
      await setMetadata({ with: 'person' })
      await reply('A colleague of mine will be with you in a minute.')
    }
  },

  onAction: async ({ action, conversation, ask, reply, resolve }) => {
    if (action.id === 'refund' && action.answer?.type === 'approval') {
      if (!action.answer.approved) {
        await ask('reason', { text: 'It stays as it is. What is wrong with the order?' })
        return
      }
      // The answer may be delivered twice: a second refund must have no effect.
      if (!refunds.has(action.value.orderId)) refunds.set(action.value.orderId, conversation.id)
      await reply(`Order ${action.value.orderId} is refunded.`)
      await resolve(`Refunded order ${action.value.orderId}`)
    }
    if (action.id === 'reason' && action.answer?.type === 'text') await reply(`Thank you, noted: ${action.answer.text}`)
  },

  onError: async (_error, { reply }) => {
    await reply('Something went wrong on our side. Please write again in a minute.')
  },
})
