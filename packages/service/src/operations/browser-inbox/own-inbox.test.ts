import { expect, type TestContext, test } from 'vitest'
import { createManualClock } from '../../clock/manual-clock.ts'
import type { AnyOperation } from '../../context/operation.ts'
import type { Store, StoreDriver } from '../../store/store.ts'
import { bothDrivers, drivers } from '../../store/stores.fixture.ts'
import { shared, toRequest } from '../any-request.fixture.ts'
import { serveBridge } from '../bridge.fixture.ts'
import { environmentTables } from '../environments/remove-environment.ts'
import { operations } from '../operations.ts'
import { productionKey, startTestService } from '../service.fixture.ts'
import { openSession, request } from './inbox.fixture.ts'

const secret = 'canary of bob'

/**
 * Creates two subscribers with a message, a preference and a subscription each, and duplicates in another environment.
 */
async function fill(driver: StoreDriver, context: TestContext) {
  const clock = createManualClock()
  const service = await startTestService(driver, context, { clock })
  const bridge = await serveBridge()
  for (const call of [service.call, service.callWith(productionKey)]) {
    expect((await call('POST', '/v1/bridge/sync', { bridgeUrl: bridge.url })).status).toBeLessThan(300)
    for (const subscriberId of ['ada', 'bob']) {
      const named = subscriberId === 'bob' ? { name: secret } : {}
      await call('POST', '/v2/subscribers', { subscriberId, firstName: subscriberId === 'bob' ? secret : 'Ada' })
      await call('PATCH', `/v2/subscribers/${subscriberId}/preferences`, { channels: { email: false } })
      await call('POST', '/v2/topics/news/subscriptions', {
        subscriptions: [{ subscriberId, identifier: `of-${subscriberId}`, ...named }],
      })
    }
  }
  const { db } = service.service.store
  const rows = await db.selectFrom('subscribers').select(['id', 'subscriberId', 'environmentId']).execute()
  const content = JSON.stringify(secret)
  for (const { id, environmentId, subscriberId } of rows)
    await service.addMessage(id, {
      ...{ environmentId, snoozedUntil: null, cta: '{"action":{"buttons":[{"type":"primary","content":"Go"}]}}' },
      ...(subscriberId === 'bob' || environmentId !== service.environmentId ? { content } : {}),
    })
  const own = rows.find((row) => row.subscriberId === 'ada' && row.environmentId === service.environmentId)
  return { ...service, clock, testService: service, db, own: own?.id ?? '' }
}

/** Returns all rows of environments except those of one subscriber. */
async function snapshotOthers(db: Store['db'], own: string): Promise<Readonly<Record<string, readonly unknown[]>>> {
  const all: Record<string, readonly unknown[]> = {}
  for (const table of environmentTables) {
    const rows = await db
      .selectFrom(table as 'messages')
      .selectAll()
      .execute()
    all[table] = rows.filter(({ id, subscriberId }) => id !== own && subscriberId !== own)
  }
  return all
}

interface Known {
  readonly db: Store['db']
  readonly nowMs: number
}

/** Returns the names of a subscriber's rows by row id, and values that operations accept. */
async function namesOf({ db, nowMs }: Known, rowId: string): Promise<Readonly<Record<string, string>>> {
  const { subscriberId, environmentId } = await db
    .selectFrom('subscribers')
    .selectAll()
    .where('id', '=', rowId)
    .executeTakeFirstOrThrow()
  const ofSubscriber = db.selectFrom('messages').select('id').where('subscriberId', '=', rowId)
  const id = (await ofSubscriber.executeTakeFirst())?.id ?? 'none'
  return {
    ...shared,
    ...{ notificationId: id, notificationIds: id, messageId: id, after: id, environmentId },
    ...{ subscriberId, to: subscriberId, identifier: `of-${subscriberId}`, topicKey: 'news', workflowId: 'welcome' },
    ...{ data: '{}', snoozeUntil: new Date(nowMs + 60_000).toISOString(), start: '09:00 AM', end: '05:00 PM' },
  }
}

const isOwn = ({ forSubscriber, open }: AnyOperation): boolean => forSubscriber === true || open !== undefined
/** The stream ends with its session and takes no names; it has its own tests. */
const isOwnStream = ({ name }: AnyOperation): boolean => name === 'ownInbox.events'
/** Deletes come last, so that earlier operations have something to change. */
const rank = ({ name }: AnyOperation): number => (/delete|unsubscribe/i.test(name) ? 2 : 1)

test('limits a token to the rows of its own subscriber and environment', {
  timeout: 120_000,
}, async (context) => {
  const { db, own, clock, testService, environmentId } = await fill('sqlite', context)
  await testService.call('PUT', `/v1/environments/${environmentId}`, { inbox: { topics: ['news'] } })
  const authorization = `Bearer ${await openSession(testService, 'ada')}`
  const before = await snapshotOthers(db, own)
  const others = await db.selectFrom('subscribers').select('id').where('id', '!=', own).execute()
  expect(others).toHaveLength(3)
  // The subscriber's own rows come first: names are repeated in the other environment, and a row that was deleted
  // cannot be requested again.
  const ids = [own, ...others.map(({ id }) => id)]
  const answers: Record<string, string> = {}
  const reachable = operations.filter((one) => isOwn(one) && !isOwnStream(one)).sort((a, b) => rank(a) - rank(b))
  for (const one of reachable)
    for (const id of ids) {
      const { path, body } = toRequest(one, await namesOf({ db, nowMs: clock.now() }, id))
      const reply = await request(testService, path, { method: one.method, body, headers: { authorization } })
      const label = `${one.method} ${path}`
      expect([label, reply.text.includes(secret)]).toEqual([label, false])
      expect([label, await snapshotOthers(db, own)]).toEqual([label, before])
      if (id === own) answers[one.name] = reply.status < 300 ? 'succeeds' : reply.text
      // Avoids the subscriber's rate limit, which is not under test.
      clock.advance(10_000)
    }
  // A rejection is meaningful only if the same request succeeds for the subscriber's own rows.
  const all = reachable.filter(({ forSubscriber }) => forSubscriber).map(({ name }) => name)
  expect(all.map((name) => [name, answers[name]])).toEqual(all.map((name) => [name, 'succeeds']))
  expect(all.length).toBeGreaterThan(25)
})

test('rejects a session token in operations outside the inbox, in any header', {
  timeout: 120_000,
}, async (context) => {
  const { db, own, clock, testService } = await fill('sqlite', context)
  const names = await namesOf({ db, nowMs: clock.now() }, own)
  const token = await openSession(testService, 'ada')
  const before = await snapshotOthers(db, own)
  const headers = [
    { authorization: `Bearer ${token}` },
    { authorization: `ApiKey ${token}` },
    { 'studio-session': token, cookie: `trestle_studio_${new URL(testService.service.url).port}=${token}` },
  ]
  const outside = operations.filter((one) => !isOwn(one))
  expect(outside.length).toBeGreaterThan(150)
  for (const one of outside)
    for (const sent of headers) {
      const { path, body } = toRequest(one, names)
      const reply = await request(testService, path, { method: one.method, body, headers: sent })
      expect([one.method, path, reply.status]).toEqual([one.method, path, 401])
    }
  expect(await snapshotOthers(db, own)).toEqual(before)
})

test.for(bothDrivers)('lets a subscriber read and change their own inbox (%s)', async (driver, context) => {
  const { db, own, clock, testService } = await fill(driver, context)
  const authorization = `Bearer ${await openSession(testService, 'ada')}`
  const call = (method: string, path: string, body?: unknown) =>
    request(testService, `/v1/inbox${path}`, { method, body, headers: { authorization } })
  const { id } = await db.selectFrom('messages').select('id').where('subscriberId', '=', own).executeTakeFirstOrThrow()
  const one = `/notifications/${id}`
  expect((await call('GET', '/notifications?read=false')).body).toMatchObject({ data: [{ id }], hasMore: false })
  expect((await call('GET', `/notifications/count?filters=${encodeURIComponent('[{"seen":false}]')}`)).body).toEqual({
    data: [{ count: 1, filter: { seen: false } }],
  })
  const steps: readonly (readonly [string, unknown, object])[] = [
    ['read', undefined, { isRead: true }],
    ['unread', undefined, { isRead: false }],
    ['archive', undefined, { isArchived: true }],
    ['unarchive', undefined, { isArchived: false }],
    ['snooze', { snoozeUntil: new Date(clock.now() + 60_000).toISOString() }, { isSnoozed: true }],
    ['unsnooze', undefined, { isSnoozed: false }],
    ['complete', { actionType: 'primary' }, { primaryAction: { isCompleted: true } }],
    ['revert', { actionType: 'primary' }, { primaryAction: { isCompleted: false } }],
  ]
  for (const [mark, body, expectedFields] of steps)
    expect([mark, (await call('PATCH', `${one}/${mark}`, body)).body]).toMatchObject([
      mark,
      { data: { id, ...expectedFields } },
    ])
  expect((await call('PATCH', `${one}/complete`, { actionType: 'other' })).status).toBe(422)
  await call('PATCH', `${one}/unread`)
  for (const [path, body] of [
    ['/notifications/seen', { notificationIds: [id] }],
    // Public clients send an empty list if they filter by no tag.
    ['/notifications/read', { tags: [] }],
    ['/notifications/read-archive', {}],
    ['/notifications/archive', { tags: ['none'] }],
  ] as const)
    expect([path, (await call('POST', path, body)).status]).toEqual([path, 204])
  expect((await call('GET', '/notifications?archived=true')).body.data).toHaveLength(1)
  expect((await call('DELETE', `${one}/delete`)).status).toBe(204)
  expect((await call('POST', '/notifications/delete', {})).status).toBe(204)
  expect((await call('GET', '/notifications')).body.data).toEqual([])
})

/** Fills the inbox of Ada, and returns the id of her message and a function that calls the service for her. */
async function fillOne(driver: StoreDriver, context: TestContext) {
  const filled = await fill(driver, context)
  const { db, own, testService } = filled
  const authorization = `Bearer ${await openSession(testService, 'ada')}`
  const call = (method: string, path: string, body?: unknown) =>
    request(testService, `/v1/inbox/notifications${path}`, { method, body, headers: { authorization } })
  const { id } = await db.selectFrom('messages').select('id').where('subscriberId', '=', own).executeTakeFirstOrThrow()
  return { ...filled, call, ownId: id }
}

test.for(drivers)(
  'leaves archived and snoozed messages unchanged when a subscriber changes all (%s)',
  async (driver, context) => {
    const { db, own, clock, testService, call, ownId: current } = await fillOne(driver, context)
    const snoozedUntil = clock.now() + 60_000
    const [snoozed, snoozedRead, archived] = [
      await testService.addMessage(own, { snoozedUntil }),
      await testService.addMessage(own, { snoozedUntil, read: 1, seen: 1 }),
      await testService.addMessage(own, { snoozedUntil: null, archived: 1 }),
    ]
    const untouched = async () =>
      db.selectFrom('messages').selectAll().where('id', 'in', [snoozed, snoozedRead, archived]).orderBy('id').execute()
    const before = await untouched()
    for (const change of ['read', 'read-archive', 'archive']) {
      expect([change, (await call('POST', `/${change}`, {})).status]).toEqual([change, 204])
      expect([change, await untouched()]).toEqual([change, before])
    }
    const { data } = (await call('GET', '?archived=true&read=true')).body
    expect(data).toMatchObject([{ id: current }])
    clock.advance(120_000)
    const reminders = (await call('GET', '?archived=false')).body.data
    expect(reminders.map(({ id }: { id: string }) => id)).toEqual([snoozedRead, snoozed])
  },
)

test.for(drivers)('changes no message that is newer than `upToId` (%s)', async (driver, context) => {
  const { db, own, clock, testService, call, ownId: upToId } = await fillOne(driver, context)
  const newerIds = [
    await testService.addMessage(own, { snoozedUntil: null }),
    await testService.addMessage(own, { snoozedUntil: null, read: 1, seen: 1, tags: '["x"]' }),
  ]
  const newer = async () => db.selectFrom('messages').selectAll().where('id', 'in', newerIds).orderBy('id').execute()
  const before = await newer()
  const selections = [{ upToId }, { upToId, tags: ['x'] }]
  for (const change of ['seen', 'read', 'read-archive', 'archive'])
    for (const selection of selections) {
      expect([change, (await call('POST', `/${change}`, selection)).status]).toEqual([change, 204])
      expect([change, await newer()]).toEqual([change, before])
      // Avoids the subscriber's rate limit, which is not under test.
      clock.advance(10_000)
    }
  expect((await call('GET', '?archived=true&read=true')).body.data).toMatchObject([{ id: upToId }])
  expect((await call('POST', '/delete', { upToId })).status).toBe(204)
  expect((await call('GET', '')).body.data.map(({ id }: { id: string }) => id)).toEqual(newerIds.toReversed())
  expect((await call('POST', '/archive', { upToId: '' })).status).toBe(422)
})

test.for(drivers)('lets a subscriber manage preferences and subscriptions (%s)', async (driver, context) => {
  const { testService, environmentId } = await fill(driver, context)
  const authorization = `Bearer ${await openSession(testService, 'ada')}`
  const call = async (method: string, path: string, body?: unknown) => {
    const reply = await request(testService, `/v1/inbox${path}`, { method, body, headers: { authorization } })
    return [reply.status, reply.body?.data ?? reply.body?.message]
  }
  const [, [global, workflow]] = (await call('GET', '/preferences')) as [number, readonly Record<string, unknown>[]]
  expect(global).toMatchObject({ level: 'global', channels: { email: false, in_app: true } })
  expect(workflow).toMatchObject({ level: 'template', workflow: { identifier: 'welcome', critical: false } })
  const schedule = { isEnabled: true, weeklySchedule: { monday: { isEnabled: true } } }
  expect(await call('PATCH', '/preferences', { email: true, schedule })).toMatchObject([
    200,
    { channels: { email: true }, schedule },
  ])
  expect(await call('GET', '/preferences/global')).toMatchObject([200, { schedule }])
  const off = { level: 'template', channels: { in_app: false } }
  expect(await call('PATCH', '/preferences/welcome', { in_app: false })).toMatchObject([200, off])
  const preferences = [{ workflowId: 'welcome', in_app: true }]
  expect(await call('PATCH', '/preferences/bulk', { preferences })).toMatchObject([
    200,
    [{ channels: { in_app: true } }],
  ])
  expect(await call('GET', '/preferences?tags[]=none')).toMatchObject([200, [{ level: 'global' }]])
  const topic = '/topics/news/subscriptions'
  expect(await call('GET', topic)).toMatchObject([200, [{ identifier: 'of-ada' }]])
  expect(await call('GET', `${topic}/of-bob`)).toMatchObject([404, expect.any(String)])
  expect(await call('PATCH', `${topic}/of-ada`, { name: 'mine' })).toMatchObject([200, { name: 'mine' }])
  expect(await call('POST', topic, {})).toMatchObject([403, expect.stringContaining('inbox.topics')])
  await testService.call('PUT', `/v1/environments/${environmentId}`, { inbox: { topics: ['ne*'] } })
  expect(await call('POST', topic, { identifier: 'second' })).toMatchObject([201, { identifier: 'second' }])
  expect(await call('POST', topic, { identifier: 'of-bob' })).toMatchObject([400, expect.any(String)])
  for (let index = 3; index <= 10; index++)
    expect((await call('POST', topic, { identifier: `n${index}` }))[0]).toBe(201)
  const tooMany = 'A subscriber can have at most 10 subscriptions to a topic. Remove one first.'
  expect(await call('POST', topic, { identifier: 'n11' })).toEqual([409, tooMany])
  expect(await call('POST', topic, { identifier: 'n10' })).toMatchObject([201, { identifier: 'n10' }])
  expect((await call('GET', topic))[1]).toHaveLength(10)
  expect(await call('DELETE', `${topic}/second`)).toEqual([204, undefined])
  expect(await call('DELETE', `${topic}/of-bob`)).toMatchObject([404, expect.any(String)])
})
