import { createHmac } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import { createMovedClock } from '../../access/people.fixture.ts'
import { createManualClock } from '../../clock/manual-clock.ts'
import { deriveKey } from '../../keys/derive-key.ts'
import { toSubscriberHash } from '../../keys/subscriber-hash.ts'
import { drivers } from '../../store/stores.fixture.ts'
import { productionKey, secretKey, startTestService, type TestService } from '../service.fixture.ts'
import { findApplication, openSession, request } from './inbox.fixture.ts'

const open = (service: TestService, body: unknown, headers: Readonly<Record<string, string>> = {}) =>
  request(service, '/v1/inbox/session', { method: 'POST', body, headers })
const list = (service: TestService, token: string) =>
  request(service, '/v1/inbox/notifications', { headers: { authorization: `Bearer ${token}` } })
const countSubscribers = async ({ service }: TestService) =>
  (await service.store.db.selectFrom('subscribers').select('id').execute()).length

describe.each(drivers)('session (%s)', (driver) => {
  test('returns counts and creates the subscriber', async (context) => {
    const service = await startTestService(driver, context)
    const applicationIdentifier = await findApplication(service)
    const ada = await service.addSubscriber('ada', { email: 'ada@example.com' })
    await service.addMessage(ada, { severity: 'high' })
    await service.addMessage(ada, { archived: 1 })
    await service.addMessage(ada, { read: 1 })
    const body = { applicationIdentifier, subscriber: { subscriberId: 'ada', email: 'other@example.com' } }
    const { status, body: opened } = await open(service, body)
    expect(status).toBe(201)
    expect(opened.data).toMatchObject({
      ...{ applicationIdentifier, totalUnreadCount: 1, isDevelopmentMode: true, removeNovuBranding: true },
      unreadCount: { total: 1, severity: { high: 1, medium: 0, low: 0, none: 0 } },
    })
    expect((await list(service, opened.data.token)).body.data).toHaveLength(3)
    const { db } = service.service.store
    const rows = () => db.selectFrom('subscribers').select(['subscriberId', 'email']).orderBy('id').execute()
    expect(await rows()).toEqual([{ subscriberId: 'ada', email: 'ada@example.com' }])
    await open(service, { applicationIdentifier, subscriber: 'bob' })
    expect(await rows()).toHaveLength(2)
  })

  test('ends when the secret key is regenerated or the subscriber is deleted, and after an hour', async (context) => {
    const clock = createManualClock()
    const service = await startTestService(driver, context, { clock })
    const tokens = await Promise.all(['ada', 'bob'].map((id) => openSession(service, id)))
    const [ada = '', bob = ''] = tokens
    expect((await list(service, ada)).status).toBe(200)
    await service.call('DELETE', '/v2/subscribers/bob')
    expect((await list(service, bob)).status).toBe(401)
    await openSession(service, 'bob')
    expect((await list(service, bob)).status).toBe(401)
    clock.advance(60 * 60 * 1000 - 1)
    expect((await list(service, ada)).status).toBe(200)
    clock.advance(1)
    expect((await list(service, ada)).status).toBe(401)
    const renewed = await openSession(service, 'ada')
    await service.call('POST', '/v1/environments/api-keys/regenerate')
    expect((await list(service, renewed)).status).toBe(401)
  })
})

test('requires the hash outside Development, unless that is disabled', async (context) => {
  const service = await startTestService('sqlite', context)
  const callProduction = service.callWith(productionKey)
  const me = (await callProduction('GET', '/v1/environments/me')).body.data
  const path = `/v1/environments/${me._id}`
  const body = { applicationIdentifier: await findApplication(service, productionKey), subscriber: 'ada' }
  await callProduction('PUT', path, { name: 'Live' })
  expect((await open(service, body)).status).toBe(401)
  await callProduction('PUT', path, { inbox: { requireHash: false } })
  expect((await open(service, body)).status).toBe(201)
})

test('requires the hash in Production, and in other environments if configured', async (context) => {
  const service = await startTestService('sqlite', context)
  const applicationIdentifier = await findApplication(service, productionKey)
  const body = { applicationIdentifier, subscriber: { subscriberId: 'ada' } }
  expect((await open(service, body)).status).toBe(401)
  for (const subscriberHash of ['', 'x', toSubscriberHash(secretKey, 'ada'), toSubscriberHash(productionKey, 'bob')])
    expect((await open(service, { ...body, subscriberHash })).status).toBe(401)
  expect(await countSubscribers(service)).toBe(0)
  const subscriberHash = toSubscriberHash(productionKey, 'ada')
  expect((await open(service, { ...body, subscriberHash })).body.data.isDevelopmentMode).toBe(false)
  const development = { applicationIdentifier: await findApplication(service), subscriber: 'ada' }
  expect((await open(service, { ...development, subscriberHash })).status).toBe(401)
  expect((await open(service, development)).status).toBe(201)
  const path = `/v1/environments/${service.environmentId}`
  await service.call('PUT', path, { inbox: { requireHash: true } })
  expect((await open(service, development)).status).toBe(401)
})

test('rejects malformed requests without storing anything', async (context) => {
  const service = await startTestService('sqlite', context)
  const applicationIdentifier = await findApplication(service)
  const bodies: readonly (readonly [unknown, number])[] = [
    [{ applicationIdentifier: 'unknown', subscriber: 'ada' }, 401],
    [{ subscriber: 'ada' }, 422],
    [{ applicationIdentifier }, 422],
    [{ applicationIdentifier, subscriber: { firstName: 'Ada' } }, 422],
    [{ applicationIdentifier, subscriber: { __proto__: null, subscriberId: 1 } }, 422],
    [{ applicationIdentifier, subscriber: 'ada', isAdmin: true }, 422],
    [[], 400],
    [{ applicationIdentifier, subscriber: { subscriberId: 'ada', data: { text: 'x'.repeat(40_000) } } }, 413],
  ]
  for (const [body, status] of bodies) expect([body, (await open(service, body)).status]).toEqual([body, status])
  expect(await countSubscribers(service)).toBe(0)
})

test('accepts only tokens signed with its own key', async (context) => {
  const service = await startTestService('sqlite', context)
  const token = await openSession(service, 'ada')
  const [environment, subscriber, expires, signature = ''] = token.split('.')
  const other = await openSession(service, 'bob')
  const text = `${environment}.${subscriber}.${expires}`
  const sign = (key: string | Buffer) => createHmac('sha256', key).update(text).digest('base64url')
  const forged = [
    `${environment}.${other.split('.')[1]}.${expires}.${signature}`,
    `${environment}.${subscriber}.${Number(expires) + 1}.${signature}`,
    `${text}.${sign(secretKey)}`,
    `${text}.${sign(deriveKey(secretKey, 'subscriber-hash'))}`,
    `${text}.${sign(deriveKey(productionKey, 'inbox-session'))}`,
    ...['', 'x', `${token}.`, `x${token}`, signature, 'a'.repeat(600)],
  ]
  for (const one of forged) expect([one, (await list(service, one)).status]).toEqual([one, 401])
  const asKey = await request(service, '/v1/inbox/notifications', { headers: { authorization: `ApiKey ${secretKey}` } })
  expect(asKey.status).toBe(401)
  expect((await list(service, token)).status).toBe(200)
})

test('limits requests per subscriber', async (context) => {
  const { clock } = createMovedClock()
  const service = await startTestService('sqlite', context, { clock })
  const [ada, bob] = [await openSession(service, 'ada'), await openSession(service, 'bob')]
  const readAll = (token: string) =>
    request(service, '/v1/inbox/notifications/read', {
      ...{ method: 'POST', body: {}, headers: { authorization: `Bearer ${token}` } },
    })
  const statuses = await Promise.all(Array.from({ length: 30 }, async () => (await readAll(ada)).status))
  expect(new Set(statuses)).toEqual(new Set([204, 429]))
  const refused = await readAll(ada)
  expect([refused.status, Number(refused.headers.get('retry-after'))]).toEqual([429, 1])
  expect((await readAll(bob)).status).toBe(204)
})

test('limits the sessions of a subscriber by itself, not by the environment', async (context) => {
  const clock = createManualClock()
  const service = await startTestService('sqlite', context, { clock, plan: 'free' })
  const applicationIdentifier = await findApplication(service)
  const remaining = async () => (await service.call('GET', '/v1/feeds')).headers.get('ratelimit-remaining')
  const before = Number(await remaining())
  const body = { applicationIdentifier, subscriber: 'ada', subscriberHash: toSubscriberHash(secretKey, 'ada') }
  const statuses: number[] = []
  for (let count = 0; count < 110; count++) statuses.push((await open(service, body)).status)
  expect(statuses.indexOf(429)).toBe(100)
  expect(Number(await remaining())).toBe(before - 1)
  const other = { applicationIdentifier, subscriber: 'bob', subscriberHash: toSubscriberHash(secretKey, 'bob') }
  expect((await open(service, other)).status).toBe(201)
})
