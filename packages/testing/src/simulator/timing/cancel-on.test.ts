import { workflow } from '@trestle/core'
import { describe, expect, test } from 'vitest'
import { testBridge } from '../test-bridge.ts'
import '../../vitest.ts'

const logger = { warn: () => undefined, error: () => undefined }
const now = Date.UTC(2026, 0, 1)

const reminder = workflow(
  'reminder',
  async ({ step }) => {
    await step.inApp('placed', () => ({ body: 'Placed' }))
    await step.delay('wait', () => ({ amount: 1, unit: 'days' }))
    await step.email('remind', () => ({ subject: 'Pay', body: '<p>Pay</p>' }))
  },
  { cancelOn: { event: 'order.paid', match: { orderId: 'id' } } },
)
const bridge = testBridge({ workflows: [reminder], logger, now })
const payload = { id: 'o-1' }

describe('an event that cancels a run', () => {
  test('ends the run at the time of the event', async () => {
    const events = [{ name: 'order.paid', payload: { orderId: 'o-1' }, afterMs: 60_000 }]
    const run = await bridge.run(reminder, { payload, events })
    expect(run.status).toBe('canceled')
    expect(run).toHaveSent('in_app')
    expect(run).not.toHaveSent('email')
    expect(run.steps['wait']).toMatchObject({ status: 'canceled', called: true, waitMs: 60_000 })
    expect(run.endedAt).toBe(new Date(now + 60_000).toISOString())
    expect(() => expect(run).toHaveCompleted()).toThrow('canceled')
  })

  test.each([
    ['of another name', { name: 'order.sent', payload: { orderId: 'o-1' } }],
    ['with another value', { name: 'order.paid', payload: { orderId: 'o-2' } }],
    ['that lists other fields', { name: 'order.paid', payload: { orderId: 'o-1' }, match: {} }],
    ['for another subscriber', { name: 'order.paid', payload: { orderId: 'o-1' }, to: 'bob' }],
    ['that comes after the end', { name: 'order.paid', payload: { orderId: 'o-1' }, afterMs: 86_400_001 }],
  ])('does not end the run if the event is one %s', async (_what, event) => {
    const run = await bridge.run(reminder, { payload, events: [{ afterMs: 5, ...event }] })
    expect(run).toHaveCompleted()
    expect(run).toHaveSent('email')
  })

  test('ends only runs that were triggered before it and match its payload', async () => {
    const run = await bridge.run(reminder, {
      payload,
      triggers: [{ payload: { id: 'o-2' } }, { payload: { id: 'o-1' }, afterMs: 10_000 }],
      events: [{ name: 'order.paid', payload: { orderId: 'o-1' }, afterMs: 5_000 }],
    })
    expect([run, ...run.others].map(({ status }) => status)).toEqual(['canceled', 'completed', 'completed'])
  })

  test('is emitted by a handler, and does not wake the run that it cancels', async () => {
    const flow = workflow(
      'flow',
      async ({ step }) => {
        const wait = step.waitForEvent('wait', () => ({ event: 'stop', timeout: { amount: 1, unit: 'hours' } }))
        await step.custom('emit', () => {
          own.emit({ name: 'stop' })
          return {}
        })
        await wait
        await step.custom('late', () => ({}))
      },
      { cancelOn: [{ event: 'other' }, { event: 'stop' }] },
    )
    const own = testBridge({ workflows: [flow], logger })
    const run = await own.run(flow)
    expect(run.status).toBe('canceled')
    expect(run.steps['wait']?.status).toBe('canceled')
    expect(run.steps).not.toHaveProperty('late')
  })
})
