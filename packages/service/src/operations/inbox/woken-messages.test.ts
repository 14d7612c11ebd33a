import { describe, expect, test, vi } from 'vitest'
import { createManualClock } from '../../clock/manual-clock.ts'
import { drivers } from '../../store/stores.fixture.ts'
import { startTestService } from '../service.fixture.ts'

const hourMs = 3_600_000
const steps = [
  { stepId: 'tell', name: 'Tell', type: 'in_app', controlValues: { body: 'b' } },
  { stepId: 'wait', name: 'Wait', type: 'delay', controlValues: { amount: 2, unit: 'hours' } },
  {
    stepId: 'mail',
    name: 'Mail',
    type: 'email',
    controlValues: { subject: 's', body: 'b', skip: { '==': [{ var: 'steps.tell.read' }, true] } },
  },
]

describe.each(drivers)('a message whose snooze expires unobserved (%s)', (driver) => {
  test('is unread for later steps and in the list of messages', async (context) => {
    const clock = createManualClock(Date.parse('2026-01-01T00:00:00Z'))
    const { call, addSubscriber } = await startTestService(driver, context, { clock, work: true })
    await addSubscriber('ada', { email: 'ada@example.com' })
    const workflow = { name: 'W', workflowId: 'w', active: true, steps }
    expect((await call('POST', '/v2/workflows', workflow)).status).toBe(201)
    const inbox = '/v2/subscribers/ada/notifications'
    const statuses = async () => {
      clock.advance(1000)
      const [run] = (await call('GET', '/v1/notifications')).body.data
      return run?.jobs.map(({ status }: { status: string }) => status)
    }
    await call('POST', '/v1/events/trigger', { name: 'w', to: 'ada' })
    await vi.waitFor(async () => expect(await statuses()).toEqual(['completed', 'delayed', 'pending']), 10_000)
    const [{ id }] = (await call('GET', inbox)).body.data
    await call('PATCH', `${inbox}/${id}/read`)
    const snoozeUntil = new Date(clock.now() + hourMs).toISOString()
    expect((await call('PATCH', `${inbox}/${id}/snooze`, { snoozeUntil })).status).toBe(200)

    clock.advance(2 * hourMs)
    await vi.waitFor(async () => expect(await statuses()).toEqual(['completed', 'completed', 'completed']), 10_000)
    const [message] = (await call('GET', '/v1/messages?channel=in_app')).body.data
    expect(message).toMatchObject({ read: false, seen: true })
    expect(Object.keys(message)).not.toEqual(expect.arrayContaining(['snoozedUntil']))
    expect(message.lastReadDate).toBeUndefined()
    const [item] = (await call('GET', inbox)).body.data
    expect(item).toMatchObject({ isRead: false, readAt: null, deliveredAt: message.deliveredAt })
  })
})
