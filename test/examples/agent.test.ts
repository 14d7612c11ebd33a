import '@trestle/testing/vitest'
import { testBridge } from '@trestle/testing'
import { beforeEach, expect, test } from 'vitest'
import { customerWaits, refunds, support } from '../../examples/agent/src/support.ts'

const bridge = testBridge({ agents: [support], workflows: [customerWaits] })

beforeEach(() => refunds.clear())

test('answers in parts', async () => {
  const talk = await bridge.converse(support, ['Hello', 'Where is order 12?'])
  expect(talk).toHaveSaid(/What is its number/)
  expect(talk).toHaveSaid({ markdown: 'Order 12 is on its way. It arrives tomorrow.' })
  expect(talk.asked).toEqual([])
})

test('refunds an order once after approval', async () => {
  const talk = await bridge.converse(support, ['Please refund order 7', { answer: true }])
  expect(talk).toHaveAsked('refund', { type: 'approval', text: 'Refund order 7?', value: { orderId: '7' } })
  expect(talk).toHaveSaid('Order 7 is refunded.')
  expect(talk).toHaveBeenResolved('Refunded order 7')
  expect([...refunds.keys()]).toEqual(['7'])
})

test('asks for the reason after a rejection', async () => {
  const talk = await bridge.converse(support, ['refund order 7', { answer: false }, { answer: 'It is broken' }])
  expect(talk).toHaveAsked('reason', { type: 'text' })
  expect(talk).toHaveSaid('Thank you, noted: It is broken')
  expect(talk).not.toHaveBeenResolved()
  expect(refunds.size).toBe(0)
})

test('hands over to a human, and then stays out of the conversation', async () => {
  const talk = await bridge.converse(support, ['I want to talk to a human', { message: 'Hello?', afterMs: 60_000 }])
  expect(talk.triggered).toMatchObject([
    { workflowId: 'customer-waits', to: 'support-team', payload: { reason: expect.stringContaining('person') } },
  ])
  expect(talk).toHaveSaid(/colleague/)
  expect(talk.turns[1]?.replies).toEqual([])
})
