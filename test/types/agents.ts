import { workflow } from '@trestle/core'
import { type AgentAnswer, agent } from '@trestle/core/agents'
import { serve } from '@trestle/hono'
import * as v from 'valibot'
import { z } from 'zod'
import { exactly } from './equal.ts'

const shipped = workflow('shipped', async () => undefined, { payloadSchema: z.object({ id: z.string() }) })
const free = workflow('free', async () => undefined)

// Without annotations, with handlers before and after the actions.
export const support = agent('support', {
  onMessage: async ({ message, reply, approve, choose, ask, trigger, signal, subscriber, history }) => {
    exactly<string>()(message.text)
    exactly<AbortSignal>()(signal)
    exactly<string | undefined>()(subscriber?.subscriberId)
    exactly<'user' | 'agent' | 'system' | undefined>()(history[0]?.role)
    const sent = await reply('Hello')
    exactly<string | undefined>()(sent.messageId)
    await approve('refund', { text: 'Refund?', value: { orderId: '7' } })
    // @ts-expect-error the value is required
    await approve('refund', { text: 'Refund?' })
    // @ts-expect-error the value has another form
    await approve('refund', { text: 'Refund?', value: { orderId: 7 } })
    // @ts-expect-error there is no such action
    await ask('refnud', { text: 'Refund?' })
    await ask('open', { text: 'Which?' })
    await choose('colour', { text: 'Which?', value: 1, options: [{ value: 'a', label: 'A' }] })
    // @ts-expect-error a choice needs options
    await choose('open', { text: 'Which?' })
    await trigger(shipped, { payload: { id: '7' } })
    await trigger(free)
    // @ts-expect-error the payload is required
    await trigger(shipped)
    // @ts-expect-error the payload has another form
    await trigger(shipped, { payload: { id: 7 } })
    // @ts-expect-error content has no such field
    await reply({ html: '<p>' })
  },
  actions: {
    refund: { schema: z.object({ orderId: z.string(), amount: z.number().default(0) }) },
    list: { schema: { type: 'object', properties: { page: { type: 'integer' } }, required: ['page'] } },
    colour: { schema: v.number() },
    open: {},
  },
  onAction: async ({ action }) => {
    exactly<'refund' | 'list' | 'colour' | 'open'>()(action.id)
    exactly<AgentAnswer | undefined>()(action.answer)
    if (action.id === 'refund') {
      exactly<string>()(action.value.orderId)
      exactly<number>()(action.value.amount)
      // @ts-expect-error there is no such field
      action.value.page
    }
    if (action.id === 'list') exactly<number>()(action.value.page)
    if (action.id === 'colour') exactly<number>()(action.value)
    if (action.id === 'open') exactly<unknown>()(action.value)
    if (action.answer?.type === 'approval') exactly<boolean>()(action.answer.approved)
    if (action.answer?.type === 'choice') exactly<string>()(action.answer.choice)
  },
  onReaction: ({ reaction }) => void exactly<boolean>()(reaction.added),
})

export const untyped = agent('untyped', {
  onMessage: async ({ ask }) => {
    await ask('anything', { text: 'What?' })
  },
  onAction: ({ action }) => {
    exactly<string>()(action.id)
    exactly<unknown>()(action.value)
  },
})

export const mounted = serve({ agents: [support, untyped] })

export const wrong = [
  // @ts-expect-error an agent answers messages
  () => agent('a', {}),
  // @ts-expect-error there is no such event
  () => agent('a', { onMessage: () => undefined, onMesage: () => undefined }),
  // @ts-expect-error an agent that is none
  () => serve({ agents: [{ id: 'a' }] }),
]
