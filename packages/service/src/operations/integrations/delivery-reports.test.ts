import { createHmac } from 'node:crypto'
import type { JsonObject } from '@trestle/protocol'
import { describe, expect, it, type TestContext } from 'vitest'
import { serveProvider } from '../../channels/fake-provider.fixture.ts'
import { createManualClock, type ManualClock } from '../../clock/manual-clock.ts'
import type { StoreDriver } from '../../store/store.ts'
import { drivers } from '../../store/stores.fixture.ts'
import { startTestService } from '../service.fixture.ts'

const secret = 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw'
const waiting = { timeout: 15_000, interval: 20 }

async function start(driver: StoreDriver, context: TestContext, options: ReportOptions = {}) {
  const { clock = createManualClock(Date.now()), ...more } = options
  const tested = await startTestService(driver, context, { work: true, ...(options.clock && { clock }), ...more })
  const { call, service, addSubscriber } = tested
  const receiver = await serveProvider(() => ({ status: 204 }))
  let count = 0
  const provider = await serveProvider(() => ({ text: JSON.stringify({ id: `mail-${++count}` }) }))
  const credentials = { apiKey: 're_x', from: 'shop@example.com', baseUrl: provider.url, webhookKey: secret }
  const response = await call('POST', '/v1/integrations', {
    ...{ providerId: 'resend', channel: 'email', identifier: 'resend', active: true, credentials },
  })
  expect(response.status).toBe(201)
  await addSubscriber('ada', { email: 'ada@example.com' })
  await call('POST', '/v1/workflows', {
    name: 'Hello',
    notificationGroupId: (await call('GET', '/v1/notification-groups')).body.data[0]._id,
    active: true,
    steps: [{ template: { type: 'email', subject: 'Hi', content: 'Hi' } }],
  })
  const { _id: integrationId, reportsUrl } = response.body.data
  const findMessage = async (id: string) =>
    (await call('GET', '/v1/messages?limit=100')).body.data.find((one: JsonObject) => one['providerMessageId'] === id)

  /** Sends an email, and returns its message once the provider has accepted it. */
  async function send(to = 'ada') {
    await call('POST', '/v1/events/trigger', { name: 'hello', to })
    const id = `mail-${count + 1}`
    await expect.poll(() => findMessage(id), waiting).toMatchObject({ status: 'sent' })
    return findMessage(id)
  }

  /** Posts an event as Resend does. */
  async function post(event: JsonObject, sent: PostOptions = {}): Promise<{ status: number; text: string }> {
    const { id = 'msg_1', key = secret, url = reportsUrl, nowMs = Date.now(), headers: more = {} } = sent
    const body = sent.body ?? JSON.stringify(event)
    const timestamp = String(Math.floor(nowMs / 1000))
    const hmac = createHmac('sha256', Buffer.from(key.slice('whsec_'.length), 'base64'))
    const signature = `v1,${hmac.update(`${id}.${timestamp}.${body}`).digest('base64')}`
    const headers = { 'svix-id': id, 'svix-timestamp': timestamp, 'svix-signature': signature, ...more }
    const reply = await fetch(url, { method: 'POST', headers, body })
    return { status: reply.status, text: await reply.text() }
  }
  const metric = async (outcome: string) => {
    const text = await (await fetch(`${service.url}/metrics`, { headers: { authorization: `ApiKey ${key}` } })).text()
    const line = text.split('\n').find((one) => one.includes(`{provider="resend",outcome="${outcome}"}`))
    return Number(line?.split(' ').at(-1) ?? 0)
  }
  return { ...tested, clock, receiver, provider, integrationId, reportsUrl, send, post, findMessage, metric }
}

interface ReportOptions {
  readonly clock?: ManualClock
  readonly retentionMs?: number
}

interface PostOptions {
  readonly id?: string
  readonly key?: string
  readonly url?: string
  readonly nowMs?: number
  readonly body?: string
  readonly headers?: Readonly<Record<string, string>>
}

const key = 'sk_test_0123456789abcdef'

const toEvent = (name: string, messageId: string, more: JsonObject = {}) => ({
  ...{ type: `email.${name}`, created_at: new Date().toISOString() },
  data: { email_id: messageId, to: ['ada@example.com'], ...more },
})
const bounce = { bounce: { message: 'The address does not exist.', type: 'Permanent' } }

describe.each(drivers)('delivery reports (%s)', (driver) => {
  it('are stored once with the message, shown in its run and sent to webhooks', async (context) => {
    const scene = await start(driver, context)
    const { call, receiver, reportsUrl, service, integrationId, send, post, findMessage, metric } = scene
    expect(reportsUrl).toBe(`${service.url}/v1/integrations/${integrationId}/reports`)
    const endpoint = { url: receiver.url, eventTypes: ['message.delivered', 'message.opened', 'message.bounced'] }
    expect((await call('POST', '/v1/webhook-endpoints', endpoint)).status).toBe(201)
    const { _id: messageId, _notificationId: runId } = await send()
    expect(await post(toEvent('opened', 'mail-1'), { id: 'msg_2' })).toEqual({ status: 200, text: '{"stored":1}' })
    expect(await post(toEvent('delivered', 'mail-1'))).toEqual({ status: 200, text: '{"stored":1}' })
    expect(await post(toEvent('delivered', 'mail-1'))).toEqual({ status: 200, text: '{"stored":0}' })
    expect(await post(toEvent('sent', 'mail-1'), { id: 'msg_3' })).toEqual({ status: 200, text: '{"stored":0}' })
    expect(await findMessage('mail-1')).toMatchObject({
      ...{ status: 'sent', reports: [{ type: 'opened' }, { type: 'delivered', at: expect.any(String) }] },
    })
    const { body: run } = await call('GET', `/v1/studio/runs/${runId}`)
    expect(run.messages[0].reports).toHaveLength(2)
    expect(run.details.filter(({ source }: JsonObject) => source === 'Webhook')).toMatchObject([
      { detail: 'The recipient opened the message', status: 'Success', _messageId: messageId, providerId: 'resend' },
      { detail: 'The provider delivered the message', raw: { type: 'delivered', at: expect.any(String) } },
    ])
    expect(run).toMatchObject({ status: 'completed', hasWarnings: false })
    await expect.poll(() => receiver.received.length, waiting).toBe(2)
    const events = receiver.received
      .map(({ body }) => body)
      .toSorted((a, b) => (String(a['type']) < String(b['type']) ? -1 : 1))
    expect(events).toMatchObject([
      { type: 'message.delivered', data: { id: messageId, runId, status: 'sent', report: { type: 'delivered' } } },
      { type: 'message.opened', data: { id: messageId, subscriberId: 'ada', report: { type: 'opened' } } },
    ])
    expect([await metric('delivered'), await metric('opened'), await metric('duplicate')]).toEqual([1, 1, 1])
  })

  it('show a bounce and a complaint as the status of the message, in any order', async (context) => {
    const { call, send, post, findMessage } = await start(driver, context)
    const { _notificationId: runId } = await send()
    await post(toEvent('complained', 'mail-1'), { id: 'msg_1' })
    expect(await findMessage('mail-1')).toMatchObject({ status: 'warning', errorId: 'complained' })
    await post(toEvent('bounced', 'mail-1', bounce), { id: 'msg_2' })
    await post(toEvent('delivered', 'mail-1'), { id: 'msg_3' })
    await post(toEvent('complained', 'mail-1'), { id: 'msg_4' })
    expect(await findMessage('mail-1')).toMatchObject({
      ...{ status: 'error', errorId: 'bounced', errorText: 'The address does not exist.' },
    })
    const { body: run } = await call('GET', `/v1/studio/runs/${runId}`)
    expect(run).toMatchObject({ status: 'completed', hasWarnings: true })
    expect(run.steps[0].reason).toEqual({
      ...{ kind: 'provider', code: 'bounced', message: 'The address does not exist.' },
      integrationId: expect.any(String),
    })
    const { body: runPage } = await call('GET', '/v1/studio/runs?errorCode=bounced')
    expect(runPage.data).toMatchObject([{ _id: runId }])
    expect((await call('DELETE', `/v1/messages/${(await findMessage('mail-1'))._id}`)).status).toBe(200)
    expect(await post(toEvent('opened', 'mail-1'), { id: 'msg_5' })).toEqual({ status: 200, text: '{"stored":0}' })
  })

  it('are stored once if they arrive at the same time', async (context) => {
    const { send, post, findMessage } = await start(driver, context)
    await send()
    const replies = await Promise.all(Array.from({ length: 8 }, () => post(toEvent('delivered', 'mail-1'))))
    expect(replies.map(({ status }) => status)).toEqual(Array.from({ length: 8 }, () => 200))
    expect(replies.filter(({ text }) => text === '{"stored":1}')).toHaveLength(1)
    expect((await findMessage('mail-1')).reports).toHaveLength(1)
  })
})

describe.each(drivers)('stored delivery reports (%s)', (driver) => {
  it('are removed with their message, its subscriber and its run', async (context) => {
    const scene = await start(driver, context, { clock: createManualClock(Date.now()), retentionMs: 1000 })
    const { call, clock, service, addSubscriber, send, post, findMessage } = scene
    const count = async () => (await service.store.db.selectFrom('deliveryReports').select('id').execute()).length
    const receive = async (to: string, mail: string) => {
      await send(to)
      await post(toEvent('opened', mail), { nowMs: clock.now() })
      expect(await count()).toBe(1)
    }
    await receive('ada', 'mail-1')
    await call('DELETE', `/v1/messages/${(await findMessage('mail-1'))._id}`)
    expect(await count(), 'message').toBe(0)
    await addSubscriber('eve', { email: 'eve@example.com' })
    await receive('eve', 'mail-2')
    await call('DELETE', '/v1/subscribers/eve')
    expect(await count(), 'subscriber').toBe(0)
    await receive('ada', 'mail-3')
    clock.advance(1001)
    await service.removeOldRuns()
    expect(await count(), 'run').toBe(0)
  })
})

describe.each(drivers)('a call with delivery reports (%s)', (driver) => {
  it('is rejected without a valid signature for this integration', async (context) => {
    const { post, send, reportsUrl, call, callWith, findMessage, metric, integrationId } = await start(driver, context)
    await send()
    const event = toEvent('bounced', 'mail-1')
    const other = secret.replace('MfKQ', 'MfKR')
    const own = { providerId: 'resend', channel: 'email', identifier: 'own', credentials: { webhookKey: other } }
    const { body } = await callWith('sk_prod_0123456789abcdef')('POST', '/v1/integrations', own)
    const without = await call('POST', '/v1/integrations', { ...own, identifier: 'without', credentials: {} })
    const replies = [
      await post(event, { key: other }),
      await post(event, { nowMs: Date.now() - 6 * 60_000 }),
      await post(event, { headers: { 'svix-id': 'msg_2' } }),
      await post(event, { url: reportsUrl.replace(integrationId, '0'.repeat(24)) }),
      await post(event, { url: reportsUrl.replace(integrationId, 'resend') }),
      await post(event, { url: without.body.data.reportsUrl }),
      await post(event, { url: body.data.reportsUrl }),
      await post(event, { headers: { 'svix-signature': '', authorization: `ApiKey ${key}` } }),
    ]
    expect(replies.map(({ status }) => status)).toEqual(replies.map(() => 401))
    expect(new Set(replies.map(({ text }) => JSON.parse(text).message)).size).toBe(1)
    const ofOther = await post(event, { url: body.data.reportsUrl, key: other })
    expect(ofOther).toEqual({ status: 200, text: '{"stored":0}' })
    expect(await findMessage('mail-1')).toMatchObject({ status: 'sent', reports: [] })
    expect(await metric('rejected')).toBe(5)
  })

  it('must be small JSON', async (context) => {
    const { post } = await start(driver, context)
    expect(await post({}, { body: 'x' })).toMatchObject({ status: 400 })
    expect(await post({}, { body: '[]' })).toEqual({ status: 200, text: '{"stored":0}' })
    expect(await post({}, { body: `"${'x'.repeat(3 * 1024 * 1024)}"` })).toMatchObject({ status: 413 })
  })

  it('is repeated only if it may have come before the provider response was stored', async (context) => {
    const { post, log, metric, service, addMessage, addSubscriber, integrationId } = await start(driver, context)
    const event = toEvent('delivered', 'mail-7')
    expect(await post(event)).toEqual({ status: 200, text: '{"stored":0}' })
    expect(await metric('unknown')).toBe(1)
    expect(log.filter((line) => line.includes('match no message'))).toHaveLength(1)
    const message = { channel: 'email', integrationId, status: 'pending' } as const
    const id = await addMessage(await addSubscriber('eve'), message)
    expect(await post(event), 'not being sent').toMatchObject({ status: 200 })
    const { db } = service.store
    await db.updateTable('messages').set({ handOvers: 1 }).where('id', '=', id).execute()
    expect(await post(event)).toMatchObject({ status: 503 })
    expect(await post({ ...event, created_at: '2026-01-01T00:00:00Z' }), 'too old').toMatchObject({ status: 200 })
    await db.updateTable('messages').set({ status: 'sent', providerMessageId: 'mail-7' }).where('id', '=', id).execute()
    expect(await post(event)).toEqual({ status: 200, text: '{"stored":1}' })
  })

  it('needs a usable key in the integration, which is masked', async (context) => {
    const { call, integrationId } = await start(driver, context)
    const tryKey = async (providerId: string, channel: string, credentials: JsonObject) =>
      (await call('POST', '/v1/integrations', { providerId, channel, credentials })).body
    const messages = [
      await tryKey('resend', 'email', { webhookKey: 're_x' }),
      await tryKey('sendgrid', 'email', { webhookKey: 'x' }),
      await tryKey('postmark', 'email', { webhookKey: 'short' }),
      await tryKey('mailgun', 'email', { webhookKey: 'short' }),
      await tryKey('ses', 'email', { topicArn: 'arn:aws:s3:::x' }),
      await tryKey('twilio', 'sms', { statusCallback: 'x' }),
      await tryKey('sendinblue', 'email', { webhookKey: 'short' }),
      await tryKey('nexmo', 'sms', { webhookKey: 'short' }),
      await tryKey('telnyx', 'sms', { webhookKey: 'x' }),
      await tryKey('whatsapp-business', 'chat', { webhookKey: 'x' }),
    ].map(({ message }) => message)
    expect(messages).toMatchInlineSnapshot(`
      [
        "credentials.webhookKey: must be the signing secret of the webhook, which starts with whsec_",
        "credentials.webhookKey: is not a verification key. Copy it from the settings of the event webhook",
        "credentials.webhookKey: must have at least 16 characters",
        "credentials.webhookKey: must be the HTTP webhook signing key of the account",
        "credentials.topicArn: must be the ARN of an SNS topic",
        "credentials.statusCallback: must be a URL that starts with https:// or http://",
        "credentials.webhookKey: must have at least 16 characters",
        "credentials.webhookKey: must be the signature secret of the account",
        "credentials.webhookKey: must be the public key of the Telnyx account",
        "credentials.webhookKey: must be the app secret of the Meta app: 32 hexadecimal digits",
      ]
    `)
    const path = '/v1/integrations/webhook/provider'
    expect((await call('GET', `${path}/${integrationId}/status`)).body.data).toBe(true)
    expect((await call('GET', '/v1/integrations')).body.data[0].credentials.webhookKey).not.toContain('MfKQ')
    const { body } = await call('POST', '/v1/integrations', {
      providerId: 'resend',
      channel: 'email',
      identifier: 'no',
    })
    expect((await call('GET', `${path}/${body.data._id}/status`)).body.data).toBe(false)
  })
})
