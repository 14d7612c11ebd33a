import { describe, expect, test } from 'vitest'
import { drivers } from '../../store/stores.fixture.ts'
import { startTestService } from '../service.fixture.ts'

const path = '/v1/events/emit'
const many = (count: number) => Object.fromEntries(Array.from({ length: count }, (_, index) => [`f${index}`, 1]))
const steps = [
  { name: 'Wait', type: 'wait_for_event', controlValues: { event: 'ack', timeout: { amount: 1, unit: 'hours' } } },
]

describe.each(drivers)('emitting an event (%s)', (driver) => {
  test('wakes a run that waits for it', async (context) => {
    const { call } = await startTestService(driver, context, { work: true })
    const wait = { name: 'Order', workflowId: 'order', active: true, steps }
    expect((await call('POST', '/v2/workflows', wait)).status).toBe(201)
    await call('POST', '/v1/events/trigger', { name: 'order', to: 'ada' })
    const jobs = async () => (await call('GET', '/v1/notifications')).body.data[0]?.jobs ?? []
    await expect.poll(async () => (await jobs())[0]?.status, { timeout: 20_000 }).toBe('delayed')
    const { status, body } = await call('POST', path, { name: 'ack', payload: { by: 'ada' }, to: 'ada' })
    expect([status, body.data]).toEqual([201, { acknowledged: true, eventId: expect.stringMatching(/^[0-9a-f]{24}$/) }])
    await expect.poll(async () => (await jobs())[0]?.status, { timeout: 20_000 }).toBe('completed')
  })

  test('rejects invalid fields by name', async (context) => {
    const { call, service } = await startTestService(driver, context)
    const faults: readonly [object, string][] = [
      [{}, 'name'],
      [{ name: '' }, 'name'],
      [{ name: 'a\nb' }, 'name'],
      [{ name: 'x'.repeat(256) }, 'name'],
      [{ name: 'a', payload: [] }, 'payload'],
      [{ name: 'a', payload: many(51) }, 'payload'],
      [{ name: 'a', match: many(51) }, 'match'],
      [{ name: 'a', to: { subscriberId: 'ada' } }, 'to'],
      [{ name: 'a', macth: { a: 1 } }, 'macth'],
    ]
    for (const [body, field] of faults) {
      const answer = await call('POST', path, body)
      expect([body, answer.status, Object.keys(answer.body.errors ?? {})]).toEqual([body, 422, [field]])
    }
    expect((await call('POST', path, { name: 'a', payload: many(51), match: {}, to: null })).status).toBe(201)
    expect(await service.store.db.selectFrom('emittedEvents').select('id').execute()).toHaveLength(1)
  })

  test('with an idempotency key stores it once', async (context) => {
    const { call, service } = await startTestService(driver, context)
    const emit = () => call('POST', path, { name: 'a' }, { 'idempotency-key': 'k' })
    const [first, second] = [await emit(), await emit()]
    expect(second.body).toEqual(first.body)
    expect(await service.store.db.selectFrom('emittedEvents').select('id').execute()).toHaveLength(1)
  })
})
