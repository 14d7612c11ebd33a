import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest'
import { z } from 'zod'
import { agent } from '../agent/agent.ts'
import { actions, button, card, section, select } from '../workflow/cards/card-builders.ts'
import { eventBody, mount, type Service, sendEvent, startService } from './turn.fixture.ts'

let service: Service
beforeAll(async () => {
  service = await startService()
})
afterAll(() => service.close())
beforeEach(() => {
  service.replies.length = 0
})

const declared = { order: { schema: z.string().regex(/^o-/) }, topic: { schema: z.enum(['pay', 'ship']) }, again: {} }
const pay = { label: 'Pay', value: 'pay' }

it('rejects a card with an invalid button or list, and names the problem', async () => {
  const faults: string[] = []
  const support = agent('support', {
    actions: declared,
    onMessage: async ({ reply }) => {
      const wrong = [
        button('nope', 'Nope'),
        button('order', 'Order', { value: '7' }),
        button('order', 'Order'),
        select('topic', 'Topic', { options: [pay, { label: 'Other', value: 'other' }] }),
      ]
      const sent = await reply({ card: card({}, actions(button('again', 'Again'))) })
      for (const part of wrong) {
        const given = { card: card({}, section(actions(part))) }
        await reply(given).catch((error: Error) => faults.push(error.message))
        await sent.edit(given).catch((error: Error) => faults.push(error.message))
      }
      await reply('end')
    },
  })
  await sendEvent(mount([support], service).bridge, eventBody(service))
  await service.received(2)
  const [unknown, value, missing, choice] = faults.filter((_, index) => index % 2 === 0)
  expect(faults.filter((_, index) => index % 2 === 1)).toEqual([unknown, value, missing, choice])
  expect(missing).toMatch(/schema\. must be a string\.$/)
  expect(unknown).toBe(
    'The button "nope" of a card is not an action of agent "support", which has: order, topic, again.',
  )
  for (const [fault, id] of [
    [value, 'button "order"'],
    [missing, 'button "order"'],
    [choice, 'select "topic"'],
  ] as const)
    expect(fault).toContain(`The ${id} of a card: its value does not match the schema. `)
})

it('sends a card with links, valid actions, or any actions if none are declared', async () => {
  const fitting = actions(
    button('order', 'Order', { value: 'o-7' }),
    select('topic', 'Topic', { options: [pay] }),
    button('other', 'Elsewhere', { callbackUrl: 'https://example.com/clicks' }),
    button('off', 'Off', { disabled: true }),
  )
  const support = agent('support', { actions: declared, onMessage: ({ reply }) => reply({ card: card({}, fitting) }) })
  const open = agent('open', { onMessage: ({ reply }) => reply({ card: card({}, actions(button('x', 'X'))) }) })
  const { bridge } = mount([support, open], service)
  await sendEvent(bridge, eventBody(service))
  await sendEvent(bridge, { ...eventBody(service), deliveryId: 'd2', conversationId: 'c2' }, { agentId: 'open' })
  expect((await service.received(2)).map(({ body }) => Object.keys(body.reply))).toEqual([['card'], ['card']])
})
