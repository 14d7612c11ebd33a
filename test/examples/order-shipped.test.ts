import { result, testBridge, toContent } from '@trestle/testing'
import '@trestle/testing/vitest'
import { expect, test } from 'vitest'
import { workflows } from '../../examples/workflows/src/index.ts'

const bridge = testBridge({ workflows, now: '2026-01-01T09:00:00Z' })
const payload = {
  orderId: '1042',
  carrier: 'post',
  trackingUrl: 'https://post.example.com/1042',
  items: [{ name: 'Lamp', quantity: 2 }],
}
const subscriber = { subscriberId: 'ada', firstName: 'Ada' }

test('reports a shipped order in the inbox, and by email an hour later', async () => {
  const run = await bridge.run('order-shipped', { payload, subscriber })
  expect(run).toHaveCompleted()
  expect(run).toHaveSent('inApp', { subject: 'Order 1042 is on its way', redirect: { url: payload.trackingUrl } })
  expect(run).toHaveSent(
    'email',
    { subject: 'Your order 1042 is on its way', body: /<li>2 x Lamp<\/li>.*Thank you, Ada\./s },
    { at: '2026-01-01T10:00:00Z' },
  )
})

test('sends no email if the message was read', async () => {
  const run = await bridge.run('order-shipped', { payload, doubles: { inbox: result.inApp({ read: true }) } })
  expect(run).toHaveSkipped('email')
})

test('renders the expected content', async () => {
  const run = await bridge.run('order-shipped', { payload, subscriber })
  expect(toContent(run)).toMatchSnapshot()
})
