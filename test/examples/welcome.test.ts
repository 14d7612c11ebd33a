import { workflow } from '@trestle/core'
import { testBridge } from '@trestle/testing'
import '@trestle/testing/vitest'
import { expect, test } from 'vitest'

const welcome = workflow('welcome', async ({ step, subscriber }) => {
  await step.delay('wait', () => ({ amount: 1, unit: 'days' }))
  await step.email('mail', () => ({ subject: `Hello ${subscriber.firstName}`, body: '<p>Nice to have you.</p>' }))
})

test('welcomes every subscriber after a day', async () => {
  const bridge = testBridge({ workflows: [welcome], now: '2026-01-01T09:00:00Z' })
  const run = await bridge.run(welcome, { subscriber: { firstName: 'Ada' } })
  expect(run).toHaveSent('email', { subject: 'Hello Ada' }, { at: '2026-01-02T09:00:00Z' })
})
