import { sql } from 'kysely'
import { describe, expect, type TestContext, test } from 'vitest'
import { createManualClock } from '../../clock/manual-clock.ts'
import type { StoreDriver } from '../../store/store.ts'
import { bothDrivers, createDatabase, drivers } from '../../store/stores.fixture.ts'
import { serveBridge } from '../bridge.fixture.ts'
import { secretKey, startTestService, type TestService } from '../service.fixture.ts'
import { openSession, type ReadStream, readStream, request } from './inbox.fixture.ts'

const patience = { timeout: 10_000, interval: 10 }
const kinds = ({ events }: ReadStream): readonly string[] => events.map(({ event }) => event)
const received = ({ events }: ReadStream): readonly string[] =>
  events.filter(({ event }) => event === 'notification_received').map(({ data }) => data.message.id)

async function startReading(driver: StoreDriver, context: TestContext, after?: string) {
  const service = await startTestService(driver, context, { work: true })
  const bridge = await serveBridge()
  await service.call('POST', '/v1/bridge/sync', { bridgeUrl: bridge.url })
  const token = await openSession(service, 'ada')
  const stream = await readStream(service.service.url, token, after)
  context.onTestFinished(stream.close)
  await expect.poll(() => stream.events.length, patience).toBe(2)
  const call = (method: string, path: string, body?: unknown) =>
    request(service, `/v1/inbox${path}`, { method, body, headers: { authorization: `Bearer ${token}` } })
  const trigger = () => service.call('POST', '/v1/events/trigger', { name: 'welcome', to: 'ada' })
  return { service, token, stream, call, trigger }
}

describe.each(bothDrivers)('inbox stream (%s)', (driver) => {
  test('sends counts, new messages and every change, and resumes without lost or repeated events', async (context) => {
    const { service, token, stream, call, trigger } = await startReading(driver, context)
    expect(stream.events.map(({ event, data }) => [event, data])).toEqual([
      ['unread_count_changed', { counts: { total: 0, severity: { high: 0, medium: 0, low: 0, none: 0 } } }],
      ['unseen_count_changed', { unseenCount: 0 }],
    ])
    await trigger()
    await expect.poll(() => received(stream), patience).toHaveLength(1)
    const [item] = (await call('GET', '/notifications')).body.data
    expect(stream.events.find(({ event }) => event === 'notification_received')?.data).toEqual({ message: item })
    await expect.poll(() => stream.events.at(-1)?.data, patience).toEqual({ unseenCount: 1 })
    const { id = '' } = stream.events.at(-1) ?? {}
    stream.close()
    await call('PATCH', `/notifications/${item.id}/read`)
    await trigger()
    await expect.poll(async () => (await call('GET', '/notifications')).body.data.length, patience).toBe(2)
    await call('POST', '/notifications/archive', {})
    await call('DELETE', `/notifications/${item.id}/delete`)
    const resumed = await readStream(service.service.url, token, id)
    context.onTestFinished(resumed.close)
    await expect.poll(() => resumed.events.at(-1)?.event, patience).toBe('unseen_count_changed')
    const [, second] = await service.service.store.db.selectFrom('inboxChanges').select('messageIds').execute()
    expect(second?.messageIds).toBe(JSON.stringify([item.id]))
    expect(kinds(resumed)).toEqual([
      ...['notification_changed', 'notification_received', 'notification_changed', 'notification_changed'],
      ...['unread_count_changed', 'unseen_count_changed'],
    ])
    expect(resumed.events[0]?.data).toEqual({ ids: [item.id] })
    expect(resumed.events[3]?.data).toEqual({ ids: [item.id] })
  })

  test('sends a reset if it cannot determine what changed', async (context) => {
    const { service, token, trigger, stream } = await startReading(driver, context)
    await trigger()
    await expect.poll(() => received(stream), patience).toHaveLength(1)
    await service.service.store.db.deleteFrom('inboxChanges').execute()
    for (const after of ['0', '99']) {
      const resumed = await readStream(service.service.url, token, after)
      await expect.poll(() => resumed.events.length, patience).toBe(3)
      expect(resumed.events[0]).toEqual({ id: '1', event: 'notification_changed', data: { all: true } })
      resumed.close()
    }
    for (const after of ['x', '-1', '1.5', '9'.repeat(40)])
      await expect(readStream(service.service.url, token, after)).rejects.toThrow('422')
  })

  test('neither misses nor repeats messages stored concurrently', async (context) => {
    const { service, stream } = await startReading(driver, context)
    await Promise.all(
      Array.from({ length: 40 }, () => service.call('POST', '/v1/events/trigger', { name: 'welcome', to: 'ada' })),
    )
    await expect.poll(() => received(stream).length, { ...patience, timeout: 20_000 }).toBe(40)
    const rows = await service.service.store.db.selectFrom('messages').select('id').execute()
    expect([...received(stream)].sort()).toEqual(rows.map(({ id }) => id).sort())
  })
})

test('immediately receives changes made by another process on the same PostgreSQL server', async (context) => {
  const { address } = await createDatabase('postgres', context)
  const first = await startTestService('postgres', context, { ...address, work: false })
  const second = await startTestService('postgres', context, { ...address, work: true })
  const bridge = await serveBridge()
  await first.call('POST', '/v1/bridge/sync', { bridgeUrl: bridge.url })
  const token = await openSession(first, 'ada')
  const stream = await readStream(first.service.url, token)
  context.onTestFinished(stream.close)
  const trigger = () => second.call('POST', '/v1/events/trigger', { name: 'welcome', to: 'ada' })
  const arrives = async (count: number) => {
    await trigger()
    await expect.poll(() => received(stream), { timeout: 5000, interval: 5 }).toHaveLength(count)
  }
  await arrives(1)
  await arrives(2)
  const { db } = first.service.store
  await sql`select pg_terminate_backend(pid) from pg_stat_activity
    where query like 'listen trestle_inbox%' and datname = current_database()`.execute(db)
  await arrives(3)
})

describe.each(drivers)('stream (%s)', (driver) => {
  test.for<readonly [string, (service: TestService) => Promise<unknown>]>([
    ['the secret key is regenerated', ({ call }) => call('POST', '/v1/environments/api-keys/regenerate')],
    ['the subscriber is deleted', ({ call }) => call('DELETE', '/v2/subscribers/ada')],
  ])('ends when %s', async ([, end], context) => {
    const { service, stream } = await startReading(driver, context)
    await end(service)
    await stream.ended
  })

  test('ends when the session expires', async (context) => {
    const clock = createManualClock()
    const service = await startTestService(driver, context, { clock })
    const stream = await readStream(service.service.url, await openSession(service, 'ada'))
    await expect.poll(() => stream.events.length, patience).toBe(2)
    clock.advance(60 * 60 * 1000)
    await stream.ended
  })

  test('reports the end of a snooze', async (context) => {
    const service = await startTestService(driver, context)
    const ada = await service.addSubscriber('ada')
    const id = await service.addMessage(ada, { snoozedUntil: Date.now() + 300 })
    const stream = await readStream(service.service.url, await openSession(service, 'ada'))
    context.onTestFinished(stream.close)
    await expect.poll(() => kinds(stream).includes('notification_changed'), patience).toBe(true)
    expect(stream.events.find(({ event }) => event === 'notification_changed')?.data).toEqual({ ids: [id] })
  })

  test('is limited to twenty per subscriber, and reports nothing about other subscribers', async (context) => {
    const { service, token, stream } = await startReading(driver, context)
    const others = await Promise.all(Array.from({ length: 19 }, () => readStream(service.service.url, token)))
    context.onTestFinished(() => {
      for (const { close } of others) close()
    })
    await expect.poll(() => others.every(({ events }) => events.length === 2), patience).toBe(true)
    await expect(readStream(service.service.url, token)).rejects.toThrow('503')
    others[0]?.close()
    await expect
      .poll(() => readStream(service.service.url, token).then(({ close }) => close()), patience)
      .toBe(undefined)
    await service.call('POST', '/v1/events/trigger', { name: 'welcome', to: 'bob' })
    await service.call('POST', '/v1/events/trigger', { name: 'welcome', to: 'ada' })
    await expect.poll(() => received(stream), patience).toHaveLength(1)
    expect(
      stream.events.every(({ data }) => data.message === undefined || data.message.to.subscriberId === 'ada'),
    ).toBe(true)
    expect((await service.callWith(secretKey)('GET', '/v1/inbox/events')).status).toBe(401)
  })
})
