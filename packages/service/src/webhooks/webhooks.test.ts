import { createHmac } from 'node:crypto'
import type { Outbound } from '@trestle/bridge-client'
import type { JsonObject } from '@trestle/protocol'
import fc from 'fast-check'
import { describe, expect, it, type TestContext, test } from 'vitest'
import { draws } from '../../../../test/scope.ts'
import { type FakeAnswer, serveProvider } from '../channels/fake-provider.fixture.ts'
import { systemClock } from '../clock/clock.ts'
import { createManualClock } from '../clock/manual-clock.ts'
import type { ServiceOptions } from '../config/generated/service-options.ts'
import { startTestService, type TestReply } from '../operations/service.fixture.ts'
import { createWebhookSecret, isSignedWebhook, signWebhook } from '../outbound/standard-webhook.ts'
import { createQueue } from '../queue/create-queue.ts'
import { priorities } from '../queue/queue.ts'
import { createVault } from '../secrets/vault.ts'
import type { StoreDriver } from '../store/store.ts'
import { bothDrivers, createStore, drivers } from '../store/stores.fixture.ts'
import { deliverWebhook } from './deliver-webhook.ts'
import { rotateSecret } from './endpoint-secrets.ts'
import { toDeliveries } from './event-recorder.ts'
import { queueWebhook } from './queue-webhook.ts'

const endpoints = '/v1/webhook-endpoints'
const dayMs = 24 * 60 * 60_000

async function start(driver: StoreDriver, context: TestContext, options: ServiceOptions = {}) {
  const clock = createManualClock(Date.parse('2026-01-01T00:00:00Z'))
  const tested = await startTestService(driver, context, { work: true, clock, ...options })
  const receiver = await serveProvider(() => ({ status: 204 }))
  const add = async (body: JsonObject = {}): Promise<{ _id: string; secret: string }> => {
    const response = await tested.call('POST', endpoints, { url: `${receiver.url}/hook`, ...body })
    expect(response.status).toBe(201)
    return response.body.data
  }
  const deliveries = async (id: string, query = ''): Promise<readonly TestReply['body'][]> =>
    (await tested.call('GET', `${endpoints}/${id}/deliveries?limit=100${query}`)).body.data
  /** Makes retries due immediately, because the queue uses the machine's clock. */
  const retry = async (): Promise<void> => {
    await tested.service.store.db.updateTable('queueItems').set({ dueAt: 0 }).execute()
  }
  const test = async (id: string): Promise<string> => {
    const sent = await tested.call('POST', `${endpoints}/${id}/test`)
    expect(sent.status).toBe(202)
    return sent.body.data._id
  }
  return { ...tested, clock, receiver, add, deliveries, retry, test }
}

const waiting = { timeout: 15_000, interval: 20 }

describe.each(drivers)('a webhook endpoint (%s)', (driver) => {
  it('starts again with another URL, and is not tested while it is disabled', async (context) => {
    const { call, add, test, deliveries, receiver, service } = await start(driver, context)
    const { _id: id } = await add()
    receiver.answerNext({ status: 500 })
    await test(id)
    const failingSince = async () =>
      (await service.store.db.selectFrom('webhookEndpoints').select('failingSince').executeTakeFirstOrThrow())
        .failingSince
    await expect.poll(failingSince, waiting).not.toBeNull()
    expect((await call('PATCH', `${endpoints}/${id}`, { url: `${receiver.url}/hook` })).status).toBe(200)
    expect(await failingSince()).not.toBeNull()
    expect((await call('PATCH', `${endpoints}/${id}`, { url: `${receiver.url}/other` })).status).toBe(200)
    expect(await failingSince()).toBeNull()
    expect((await call('PATCH', `${endpoints}/${id}`, { active: false })).status).toBe(200)
    expect((await call('POST', `${endpoints}/${id}/test`)).status).toBe(409)
    expect(await deliveries(id)).toHaveLength(1)
  })

  it('receives the events of runs and messages that it names, signed and once', async (context) => {
    const { call, add, deliveries, receiver, addSubscriber } = await start(driver, context)
    await addSubscriber('ada')
    const all = await add()
    const runs = await add({ eventTypes: ['run.completed', 'run.failed'] })
    const off = await add({ active: false })
    await call('POST', '/v1/workflows', {
      name: 'Hello',
      notificationGroupId: (await call('GET', '/v1/notification-groups')).body.data[0]._id,
      active: true,
      steps: [{ template: { type: 'in_app', content: 'Hi' } }],
    })
    const { body } = await call('POST', '/v1/events/trigger', { name: 'hello', to: 'ada', transactionId: 'tx-1' })
    expect(body.data.acknowledged).toBe(true)
    await expect.poll(() => receiver.received.length, waiting).toBe(3)
    await new Promise((resolve) => setTimeout(resolve, 100))
    const types = async (id: string) => (await deliveries(id)).map(({ eventType }) => eventType).toSorted()
    expect(await types(all._id)).toEqual(['message.sent', 'run.completed'])
    expect(await types(runs._id)).toEqual(['run.completed'])
    expect(await types(off._id)).toEqual([])
    expect(receiver.received).toHaveLength(3)
    for (const { headers, text } of receiver.received) {
      const id = String(headers['webhook-id'])
      const timestamp = String(headers['webhook-timestamp'])
      expect(Number(timestamp) * 1000).toBe(Date.parse('2026-01-01T00:00:00Z'))
      const signers = [all, runs].filter(({ secret }) => {
        const key = Buffer.from(secret.replace('whsec_', ''), 'base64')
        const signature = createHmac('sha256', key).update(`${id}.${timestamp}.${text}`).digest('base64')
        return headers['webhook-signature'] === `v1,${signature}`
      })
      expect(signers).toHaveLength(1)
    }
    const sent = receiver.received.map(({ body: event }) => event).find(({ type }) => type === 'message.sent')
    expect(sent).toMatchObject({
      timestamp: expect.stringMatching(/^2026-01-01T00:00/),
      data: {
        ...{ channel: 'in_app', status: 'sent', subscriberId: 'ada', workflowId: 'hello', transactionId: 'tx-1' },
        ...{ id: expect.any(String), runId: expect.any(String), stepId: expect.any(String) },
      },
    })
    expect(JSON.stringify(sent)).not.toContain('Hi')
    const ends = receiver.received.filter(({ body: event }) => event['type'] === 'run.completed')
    expect(ends.map(({ headers }) => headers['webhook-id'])).toEqual([
      expect.stringMatching(/^msg_/),
      ends[0]?.headers['webhook-id'],
    ])
    expect(ends[0]?.body).toMatchObject({
      data: { status: 'completed', subscriberId: 'ada', finishedAt: expect.any(String) },
    })
  })

  it('receives a failed delivery again with the same id, until it accepts the delivery', async (context) => {
    const { add, deliveries, receiver, retry, test: send, call } = await start(driver, context)
    const { _id } = await add()
    receiver.answerNext({ status: 500, text: 'broken' }, { status: 429, headers: { 'retry-after': '7200' } })
    const delivery = await send(_id)
    await expect.poll(async () => (await deliveries(_id))[0]?.['attempts'].length, waiting).toBe(1)
    expect((await deliveries(_id))[0]).toMatchObject({
      ...{
        status: 'pending',
        reason: 'The webhook answered 500.',
        nextAt: expect.stringMatching(/^2026-01-01T00:00:0/),
      },
      attempts: [
        { status: 500, response: 'broken', reason: 'The webhook answered 500.', durationMs: expect.any(Number) },
      ],
    })
    await retry()
    await expect.poll(async () => (await deliveries(_id))[0]?.['attempts'].length, waiting).toBe(2)
    expect(Date.parse((await deliveries(_id))[0]?.['nextAt'])).toBeGreaterThanOrEqual(
      Date.parse('2026-01-01T02:00:00Z'),
    )
    await retry()
    await expect.poll(async () => (await deliveries(_id))[0]?.['status'], waiting).toBe('delivered')
    expect(receiver.received).toHaveLength(3)
    expect(new Set(receiver.received.map(({ headers }) => headers['webhook-id'])).size).toBe(1)
    expect(new Set(receiver.received.map(({ text }) => text)).size).toBe(1)
    expect((await call('GET', `${endpoints}/${_id}`)).body.data.failingSince).toBeUndefined()
    const again = await call('POST', `${endpoints}/${_id}/deliveries/${delivery}/resend`)
    expect(again).toMatchObject({ status: 202, body: { data: { status: 'pending' } } })
    await expect.poll(() => receiver.received.length, waiting).toBe(4)
    expect(receiver.received[3]?.headers['webhook-id']).toBe(receiver.received[0]?.headers['webhook-id'])
  })

  it('is disabled after days of failures, with the reason, until it is reactivated', async (context) => {
    const { add, deliveries, receiver, retry, test: send, call, clock, log } = await start(driver, context)
    const { _id } = await add()
    const broken = Array.from({ length: 6 }, (): FakeAnswer => ({ status: 503 }))
    receiver.answerNext(...broken)
    await send(_id)
    await expect.poll(async () => (await deliveries(_id))[0]?.['attempts'].length, waiting).toBe(1)
    for (const attempts of [2, 3, 4]) {
      clock.advance(1.5 * dayMs)
      await retry()
      await expect.poll(async () => (await deliveries(_id))[0]?.['attempts'].length, waiting).toBe(attempts)
    }
    expect((await call('GET', `${endpoints}/${_id}`)).body.data).toMatchObject({
      ...{ active: true, failingSince: '2026-01-01T00:00:00.000Z' },
    })
    clock.advance(dayMs / 2)
    await retry()
    const disabled = { active: false, disabledReason: expect.stringContaining('for 5 days, since 2026-01-01') }
    await expect.poll(async () => (await call('GET', `${endpoints}/${_id}`)).body.data, waiting).toMatchObject(disabled)
    expect(log.join('')).toContain('a webhook endpoint was disabled')
    await retry()
    await expect.poll(async () => (await deliveries(_id))[0]?.['status'], waiting).toBe('failed')
    expect(receiver.received).toHaveLength(5)
    const [delivery] = await deliveries(_id)
    const resend = `${endpoints}/${_id}/deliveries/${delivery?.['_id']}/resend`
    expect((await call('POST', resend)).status).toBe(409)
    const active = (await call('PATCH', `${endpoints}/${_id}`, { active: true })).body.data
    expect(active.active).toBe(true)
    expect(active).not.toHaveProperty('disabledReason')
    expect(active).not.toHaveProperty('failingSince')
    expect((await call('POST', resend)).status).toBe(202)
    await expect.poll(() => receiver.received.length, waiting).toBe(6)
  })

  it('is disabled immediately if it responds with 410', async (context) => {
    const { add, receiver, test: send, call, deliveries } = await start(driver, context)
    const { _id } = await add()
    receiver.answerNext({ status: 410 })
    await send(_id)
    const disabled = { active: false, disabledReason: expect.stringContaining('410 Gone') }
    await expect.poll(async () => (await call('GET', `${endpoints}/${_id}`)).body.data, waiting).toMatchObject(disabled)
    expect((await deliveries(_id))[0]).toMatchObject({ status: 'failed', reason: 'The webhook answered 410.' })
  })

  it('has a secret that is shown once, and is rotated with a one-day overlap', async (context) => {
    const { add, receiver, test: send, call, clock, service, log } = await start(driver, context)
    const endpoint = await add()
    expect(endpoint.secret).toMatch(/^whsec_[A-Za-z0-9+/]{43}=$/)
    const headers = { 'idempotency-key': 'k1' }
    const rotated = await call('POST', `${endpoints}/${endpoint._id}/rotate-secret`, {}, headers)
    const { secret } = rotated.body.data
    expect(secret).not.toBe(endpoint.secret)
    const replayed = await call('POST', `${endpoints}/${endpoint._id}/rotate-secret`, {}, headers)
    expect(replayed.body.data.secret).toBe('******')
    const verifies = async (key: string): Promise<boolean> => {
      const count = receiver.received.length
      await send(endpoint._id)
      await expect.poll(() => receiver.received.length, waiting).toBe(count + 1)
      const { headers: given = {}, text: body = '' } = receiver.received[count] ?? {}
      const [id, timestamp, signatures] = ['webhook-id', 'webhook-timestamp', 'webhook-signature'].map((name) =>
        String(given[name]),
      )
      const signed = {
        id: id ?? '',
        timestamp: timestamp ?? '',
        signatures: signatures ?? '',
        body,
        nowMs: clock.now(),
      }
      return isSignedWebhook(signed, key)
    }
    expect(await verifies(endpoint.secret)).toBe(true)
    expect(await verifies(secret)).toBe(true)
    clock.advance(dayMs)
    expect(await verifies(endpoint.secret)).toBe(false)
    const last = await call('POST', `${endpoints}/${endpoint._id}/rotate-secret`, { endNow: true })
    expect(await verifies(secret)).toBe(false)
    expect(await verifies(last.body.data.secret)).toBe(true)
    const rows = await service.store.db.selectFrom('webhookEndpoints').selectAll().execute()
    const responseTexts = [await call('GET', endpoints), await call('GET', `${endpoints}/${endpoint._id}`)].map(
      ({ text }) => text,
    )
    for (const text of [endpoint.secret, secret].map((one) => one.slice(6)))
      expect(JSON.stringify([rows, responseTexts, log])).not.toContain(text)
  })

  it('is rejected with invalid settings, and is deleted with its deliveries', async (context) => {
    const { call, callWith, add, test: send, deliveries, service, receiver } = await start(driver, context)
    for (const url of ['ftp://a.example', 'http://169.254.1.1/', 'http://localhost/', 'http://a:b@127.0.0.1/', 'x'])
      expect([url, (await call('POST', endpoints, { url })).status]).toEqual([url, 422])
    for (const body of [{}, { url: receiver.url, eventTypes: ['run.stopped'] }, { url: receiver.url, colour: 'red' }])
      expect((await call('POST', endpoints, body)).status).toBe(422)
    const { _id } = await add()
    const delivery = await send(_id)
    await expect.poll(async () => (await deliveries(_id, '&status=delivered')).length, waiting).toBe(1)
    expect(await deliveries(_id, '&eventType=run.failed')).toEqual([])
    const other = callWith('sk_prod_0123456789abcdef')
    for (const path of ['', '/deliveries', `/deliveries/${delivery}`])
      expect((await other('GET', `${endpoints}/${_id}${path}`)).status).toBe(404)
    const two = await add()
    expect((await call('GET', `${endpoints}/${two._id}/deliveries/${delivery}`)).status).toBe(404)
    expect((await call('DELETE', `${endpoints}/${_id}`)).status).toBe(204)
    expect((await call('GET', `${endpoints}/${_id}`)).status).toBe(404)
    expect(await service.store.db.selectFrom('webhookDeliveries').selectAll().execute()).toEqual([])
    for (let count = 1; count < 20; count++) await add()
    expect((await call('POST', endpoints, { url: receiver.url })).status).toBe(409)
  })

  it('is never called after it was deleted, and has no deliveries then', async (context) => {
    const { call, add, deliveries, receiver, retry, test: send, service } = await start(driver, context)
    const { _id } = await add()
    receiver.answerNext({ status: 500 })
    await send(_id)
    await expect.poll(async () => (await deliveries(_id))[0]?.['attempts'].length, waiting).toBe(1)
    expect((await call('DELETE', `${endpoints}/${_id}`)).status).toBe(204)
    expect((await call('GET', endpoints)).body.data).toEqual([])
    const { db } = service.store
    expect(await db.selectFrom('webhookDeliveries').selectAll().execute()).toEqual([])
    await retry()
    await expect.poll(() => db.selectFrom('queueItems').select('kind').execute(), waiting).toEqual([])
    expect(receiver.received).toHaveLength(1)
  })
})

async function prepare(driver: StoreDriver, context: TestContext) {
  const store = await createStore(driver, context)
  const queue = createQueue(store)
  context.onTestFinished(() => queue.close())
  const vault = createVault(new Uint8Array(32).fill(7))
  const { sealed } = rotateSecret(vault, 'e1', { previous: undefined, nowMs: 0 })
  await store.db
    .insertInto('webhookEndpoints')
    .values({
      ...{ id: 'e1', environmentId: 'env', url: 'https://app.test/', description: '', eventTypes: '[]', active: 1 },
      ...{ secrets: sealed, disabledReason: null, failingSince: null, lastFailedAt: null, createdAt: 0, updatedAt: 0 },
    })
    .execute()
  const [row] = toDeliveries({ environmentId: 'env', type: 'run.completed', nowMs: 0 }, {}, ['e1'])
  if (!row) throw new Error('a delivery is expected')
  return { store, queue, vault, row }
}

describe.each(drivers)('an event (%s)', (driver) => {
  it('is not sent if its change is rolled back', async (context) => {
    const { store, queue, row } = await prepare(driver, context)
    const broken = store.transaction(async (tx) => {
      await tx.insertInto('webhookDeliveries').values(row).execute()
      await queueWebhook(tx, queue, { deliveries: [row] })
      throw new Error('crash')
    })
    await expect(broken).rejects.toThrow('crash')
    expect(await store.db.selectFrom('webhookDeliveries').selectAll().execute()).toEqual([])
    expect(await queue.size()).toBe(0)
  })

  it('is sent again with the same id if the response was not stored', async (context) => {
    const { store, queue, vault, row } = await prepare(driver, context)
    await store.db.insertInto('webhookDeliveries').values(row).execute()
    const ids: unknown[] = []
    const outbound: Pick<Outbound, 'send'> = {
      async send({ headers }) {
        ids.push(headers?.['webhook-id'])
        return { status: 200, headers: {}, text: '' }
      },
    }
    const logger = { warn: () => undefined, error: () => undefined }
    const work = { store, queue, vault, outbound, logger, clock: systemClock, disableAfterMs: 1, forget: () => false }
    const item = { kind: 'webhook', id: row.id, lane: 'e/l', attempts: 1 } as const
    const crash = async (): Promise<void> => {
      throw new Error('crash')
    }
    const { signal } = new AbortController()
    await expect(deliverWebhook(work, { ...item, complete: crash }, signal)).rejects.toThrow('crash')
    await deliverWebhook(work, { ...item, complete: async () => undefined }, signal)
    await deliverWebhook(work, { ...item, complete: async () => undefined }, signal)
    expect(ids).toEqual([row.eventId, row.eventId])
    const rows = await store.db.selectFrom('webhookDeliveries').selectAll().execute()
    expect(rows).toMatchObject([{ status: 'delivered', attempts: 1 }])
  })

  it('does not disable its endpoint if another delivery has succeeded during the call', async (context) => {
    const { store, queue, vault, row } = await prepare(driver, context)
    await store.db.insertInto('webhookDeliveries').values(row).execute()
    await store.db
      .updateTable('webhookEndpoints')
      .set({ failingSince: 0, lastFailedAt: 9 * dayMs })
      .execute()
    const outbound: Pick<Outbound, 'send'> = {
      async send() {
        await store.db.updateTable('webhookEndpoints').set({ failingSince: null }).execute()
        return { status: 503, headers: {}, text: '' }
      },
    }
    const logger = { warn: () => undefined, error: () => undefined }
    const clock = { now: () => 10 * dayMs }
    const work = { store, queue, vault, outbound, logger, clock, disableAfterMs: dayMs, forget: () => false }
    const item = { kind: 'webhook', id: row.id, lane: 'e/l', attempts: 1, complete: async () => undefined } as const
    await deliverWebhook(work, item, new AbortController().signal)
    const [endpoint] = await store.db.selectFrom('webhookEndpoints').selectAll().execute()
    expect(endpoint).toMatchObject({ active: 1, failingSince: clock.now(), disabledReason: null })
  })

  it('keeps its priority when its delivery is retried', async (context) => {
    const { store, queue, vault, row } = await prepare(driver, context)
    await store.db.insertInto('webhookDeliveries').values(row).execute()
    const outbound: Pick<Outbound, 'send'> = { send: async () => ({ status: 503, headers: {}, text: '' }) }
    const logger = { warn: () => undefined, error: () => undefined }
    const work = { store, queue, vault, outbound, logger, clock: systemClock, disableAfterMs: 1, forget: () => false }
    const item = { kind: 'webhook', id: row.id, lane: 'e/l', priority: 'bulk', attempts: 1 } as const
    await deliverWebhook(work, { ...item, complete: async () => undefined }, new AbortController().signal)
    const items = await store.db.selectFrom('queueItems').select('priority').execute()
    expect(items.map(({ priority }) => priorities[priority])).toEqual(['bulk'])
  })
})

test.for(bothDrivers)('an endpoint is only disabled after continuous failures (%s)', async (driver, context) => {
  const { store, queue, vault } = await prepare(driver, context)
  const clock = createManualClock(0)
  const outbound: Pick<Outbound, 'send'> = { send: async () => ({ status: 503, headers: {}, text: '' }) }
  const logger = { warn: () => undefined, error: () => undefined }
  const work = { store, queue, vault, outbound, logger, clock, disableAfterMs: 5 * dayMs, forget: () => false }
  const failAfter = async (days: number) => {
    clock.advance(days * dayMs)
    const [row] = toDeliveries({ environmentId: 'env', type: 'run.completed', nowMs: clock.now() }, {}, ['e1'])
    if (!row) throw new Error('a delivery is expected')
    await store.db.insertInto('webhookDeliveries').values(row).execute()
    const item = { kind: 'webhook', id: row.id, lane: 'e/l', attempts: 1, complete: async () => undefined } as const
    await deliverWebhook(work, item, new AbortController().signal)
    const columns = ['active', 'failingSince', 'disabledReason'] as const
    return store.db.selectFrom('webhookEndpoints').select(columns).executeTakeFirstOrThrow()
  }
  const failing = { active: 1, failingSince: 40 * dayMs, disabledReason: null }
  expect(await failAfter(0)).toEqual({ ...failing, failingSince: 0 })
  expect(await failAfter(40)).toEqual(failing)
  for (const days of [2, 1, 1.5]) expect(await failAfter(days)).toEqual(failing)
  expect(await failAfter(0.5)).toEqual({
    ...{ ...failing, active: 0 },
    disabledReason: expect.stringContaining('failed for 5 days, since 1970-02-10'),
  })
})

describe('a Standard Webhooks signature', () => {
  // The example from the specification's reference libraries.
  const example = { id: 'msg_p5jXN8AQM9LWM0D4loKWxJek', timestamp: '1614265330', body: '{"test": 2432232314}' }
  const secret = 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw'

  test('equals that of the published example', () => {
    expect(signWebhook(example, [secret])).toBe('v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=')
  })

  test('is accepted for each of its secrets, within five minutes', () => {
    const nowMs = 1_614_265_330_000
    const other = createWebhookSecret()
    const signatures = signWebhook(example, [other, secret])
    for (const key of [secret, other]) expect(isSignedWebhook({ ...example, signatures, nowMs }, key)).toBe(true)
    expect(isSignedWebhook({ ...example, signatures, nowMs }, createWebhookSecret())).toBe(false)
    expect(isSignedWebhook({ ...example, signatures, nowMs }, '')).toBe(false)
    for (const ms of [-301_000, 301_000])
      expect(isSignedWebhook({ ...example, signatures, nowMs: nowMs + ms }, secret)).toBe(false)
    for (const change of [{ id: 'other' }, { timestamp: '1614265331' }, { body: '{}' }])
      expect(isSignedWebhook({ ...example, ...change, signatures, nowMs }, secret)).toBe(false)
  })

  test('is never accepted and never causes an error for random input', () => {
    const text = fc.string({ unit: 'binary' })
    const call = fc.record({ id: text, timestamp: fc.oneof(text, fc.constant('0')), body: fc.uint8Array() })
    const property = fc.property(call, text, text, (given, signatures, key) => {
      const signed = { ...given, signatures, nowMs: 0 }
      return !isSignedWebhook(signed, key) && !isSignedWebhook({ ...signed, signatures: `v1,${signatures}` }, key)
    })
    fc.assert(property, { numRuns: draws(50, 5000) })
  })
})
