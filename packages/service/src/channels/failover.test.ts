import { type AddressInfo, createServer } from 'node:net'
import type { JsonObject } from '@trestle/protocol'
import { describe, expect, type TestContext, test } from 'vitest'
import type { MessageRow } from '../store/schema/message.ts'
import { drivers } from '../store/stores.fixture.ts'
import { createTestChannels, toDelivery, vault } from './channels.fixture.ts'
import { createChannels } from './channels.ts'
import { serveSmtp } from './email/smtp-server.fixture.ts'
import { type FakeAnswer, type FakeProvider, serveProvider } from './fake-provider.fixture.ts'

const mail = { subject: 'Hi', body: '<p>Hello</p>' }
const accepted: FakeAnswer = { text: '{"id":"re-1","MessageID":"pm-1"}' }

describe.each(drivers)('failover (%s)', (driver) => {
  async function start(context: TestContext, first: JsonObject = {}, configurations = '{"failover":true}') {
    const channels = await createTestChannels(driver, context, 1500)
    const servers: FakeProvider[] = []
    const ids: string[] = []
    for (const [index, providerId] of ['resend', 'postmark', 'sendgrid'].entries()) {
      const server = await serveProvider(() => accepted)
      const credentials = { apiKey: `canary-${index}`, from: `shop${index}@shop.example`, baseUrl: server.url }
      const own = { ...credentials, ...(index === 0 ? first : {}) }
      const row = { identifier: providerId, isPrimary: index === 0 ? 1 : 0, priority: -index } as const
      ids.push(await channels.addIntegration({ providerId, channel: 'email', configurations, ...row }, own))
      servers.push(server)
    }
    const counts = (): readonly number[] => servers.map(({ received }) => received.length)
    const read = (id: string): Promise<MessageRow> =>
      channels.db.selectFrom('messages').selectAll().where('id', '=', id).executeTakeFirstOrThrow()
    const put = async (change: JsonObject = {}): Promise<MessageRow> => {
      const { messages } = await channels.put(toDelivery('email', mail, change))
      const [message] = messages
      if (!message) throw new Error('a message is expected')
      return message
    }
    /** Sends until the message is no longer due, as the engine does. */
    const sendAll = async (message: MessageRow) => {
      const notes = []
      for (let row = message; row.status === 'pending' && notes.length < 20; row = await read(message.id))
        notes.push(...(await channels.send(row)).notes)
      return { row: await read(message.id), notes }
    }
    const disable = async (index: number): Promise<void> => {
      const id = ids[index] ?? ''
      await channels.db.updateTable('integrations').set({ active: 0 }).where('id', '=', id).execute()
    }
    const options = { store: { db: channels.db }, vault, clock: { now: Date.now } }
    const port = createChannels(options as unknown as Parameters<typeof createChannels>[0])
    return { channels, servers, ids, counts, put, sendAll, read, disable, port }
  }

  test('uses the next integration if the provider rejects the credentials', async (context) => {
    const { servers, ids, counts, put, sendAll } = await start(context)
    servers[0]?.answerNext({ status: 401, text: 'bad key canary-0' })
    const message = await put()
    const { row, notes } = await sendAll(message)
    expect(row).toMatchObject({
      ...{ status: 'sent', providerId: 'postmark', integrationId: ids[1], providerMessageId: 'pm-1' },
      ...{ errorId: null, delivery: null, retryAt: null },
    })
    expect(counts()).toEqual([1, 1, 0])
    expect(servers[1]?.received[0]).toMatchObject({
      headers: { 'idempotency-key': message.id },
      body: { From: 'shop1@shop.example', To: 'ada@example.com', Subject: 'Hi' },
    })
    expect(notes).toMatchObject([
      {
        ...{ providerId: 'resend', status: 'Warning', isRetry: true, detail: expect.stringContaining('"postmark"') },
        raw: { code: 'http_401', integrationIdentifier: 'postmark' },
      },
      { providerId: 'postmark', status: 'Success' },
    ])
    expect(JSON.stringify(notes)).not.toContain('canary')
  })

  test('tries each integration once, in order, and then fails with the last reason', async (context) => {
    const { servers, counts, put, sendAll } = await start(context)
    for (const server of servers) server.answerNext({ status: 403 }, { status: 403 })
    const { row, notes } = await sendAll(await put())
    expect(row).toMatchObject({ status: 'error', errorId: 'http_403', providerId: 'sendgrid', delivery: null })
    expect(notes.map(({ providerId, status }) => [providerId, status])).toEqual([
      ['resend', 'Warning'],
      ['postmark', 'Warning'],
      ['sendgrid', 'Failed'],
    ])
    expect(counts()).toEqual([1, 1, 1])
  })

  test.for([
    ['4', 'sent', 'telnyx'],
    ['9', 'sent', 'telnyx'],
    ['15', 'sent', 'telnyx'],
    ['5', 'error', 'nexmo'],
    ['29', 'error', 'nexmo'],
    ['toString', 'error', 'nexmo'],
  ] as const)(
    'after a response with HTTP status 200 depends on its own status: %s',
    async ([code, status, providerId], context) => {
      const channels = await createTestChannels(driver, context)
      const answer = JSON.stringify({ messages: [{ status: code, 'error-text': 'refused' }], data: { id: 'tx-1' } })
      const provider = await serveProvider(() => ({ text: answer }))
      const credentials = { apiKey: 'key', secretKey: 'canary', from: '+1', baseUrl: provider.url }
      const shared = { channel: 'sms', configurations: '{"failover":true}' } as const
      await channels.addIntegration({ ...shared, providerId: 'nexmo', isPrimary: 1 }, credentials)
      await channels.addIntegration({ ...shared, providerId: 'telnyx' }, credentials)
      const { messages } = await channels.put(toDelivery('sms', { body: 'b' }))
      for (const message of messages) await channels.send(message)
      const [first] = await channels.db.selectFrom('messages').selectAll().execute()
      if (first?.status === 'pending') await channels.send(first)
      const [row] = await channels.db.selectFrom('messages').selectAll().execute()
      expect(row).toMatchObject({ status, providerId })
    },
  )

  test('starts after the retries of temporary failures, not before', async (context) => {
    const { servers, counts, put, sendAll } = await start(context)
    servers[0]?.answerNext(...Array.from({ length: 6 }, () => ({ status: 429 })))
    const { row } = await sendAll(await put())
    expect(row).toMatchObject({ status: 'sent', providerId: 'postmark' })
    expect(counts()).toEqual([6, 1, 0])
  })

  test.for<[string, FakeAnswer | undefined, string]>([
    ['an unknown outcome: no answer', undefined, 'BridgeRequestTimeout'],
    ['an unknown outcome: a failure of the server', { status: 500 }, 'http_500'],
    ['a fault of the message', { status: 422 }, 'http_422'],
    ['a fault of the address', { status: 400 }, 'http_400'],
  ])('never occurs after %s', async ([_what, answer, errorId], context) => {
    const { servers, counts, put, sendAll } = await start(context)
    servers[0]?.answerNext(answer)
    const { row } = await sendAll(await put())
    expect(row).toMatchObject({ status: 'error', errorId, providerId: 'resend' })
    expect(counts()).toEqual([1, 0, 0])
  })

  test('requires the setting, and does not occur if the trigger names an integration', async (context) => {
    const off = await start(context, {}, '{}')
    off.servers[0]?.answerNext({ status: 401 })
    expect((await off.sendAll(await off.put())).row).toMatchObject({ status: 'error', errorId: 'http_401' })
    expect(off.counts()).toEqual([1, 0, 0])
    const named = await start(context)
    named.servers[0]?.answerNext({ status: 401 })
    const overrides = { channels: { email: { integrationIdentifier: 'resend' } } }
    expect((await named.sendAll(await named.put({ overrides }))).row).toMatchObject({ errorId: 'http_401' })
    expect(named.counts()).toEqual([1, 0, 0])
  })

  test('skips an integration without complete credentials when the message is stored', async (context) => {
    const { counts, channels, sendAll } = await start(context, { apiKey: '' })
    const { messages, notes } = await channels.put(toDelivery('email', mail))
    expect(notes).toContainEqual(
      expect.objectContaining({ status: 'Warning', detail: expect.stringContaining('"resend" is skipped') }),
    )
    const [message] = messages
    expect(message && (await sendAll(message)).row).toMatchObject({ status: 'sent', providerId: 'postmark' })
    expect(counts()).toEqual([0, 1, 0])
  })

  test('skips an API that does not support files for an email with files', async (context) => {
    const channels = await createTestChannels(driver, context)
    const [api, smtp] = [await serveProvider(() => ({ text: '{"id":"mg-1"}' })), await serveSmtp()]
    const shared = { channel: 'email', configurations: '{"failover":true}' } as const
    const credentials = { apiKey: 'key', domain: 'shop.example', from: 'a@shop.example', baseUrl: api.url }
    await channels.addIntegration({ ...shared, providerId: 'mailgun', identifier: 'mg', isPrimary: 1 }, credentials)
    const server = { host: '127.0.0.1', port: smtp.port, from: 'b@shop.example' }
    await channels.addIntegration({ ...shared, providerId: 'nodemailer' }, server)
    const { run } = toDelivery('email', mail)
    const payload = { attachments: [{ file: 'aGk=', name: 'a.txt' }] }
    const withFiles = toDelivery('email', mail, { run: { ...run, payload } })
    expect((await channels.put(withFiles)).notes).toContainEqual(
      expect.objectContaining({ status: 'Warning', detail: expect.stringMatching(/"mg" is skipped: .* files/) }),
    )
    expect(await channels.deliver(withFiles)).toMatchObject([{ status: 'sent', providerId: 'nodemailer' }])
    expect(smtp.received[0]?.source).toContain('a.txt')
    expect(await channels.deliver(toDelivery('email', mail))).toMatchObject([{ status: 'sent', providerId: 'mailgun' }])
  })

  test('starts if a mail server cannot be reached', async (context) => {
    const channels = await createTestChannels(driver, context)
    const provider = await serveProvider(() => accepted)
    const closing = createServer((socket) => socket.end())
    await new Promise<void>((resolve) => closing.listen(0, '127.0.0.1', resolve))
    context.onTestFinished(() => void closing.close())
    const server = { host: '127.0.0.1', port: (closing.address() as AddressInfo).port, from: 'a@shop.example' }
    const shared = { channel: 'email', configurations: '{"failover":true}' } as const
    await channels.addIntegration({ ...shared, providerId: 'nodemailer', isPrimary: 1 }, server)
    const credentials = { apiKey: 'key', from: 'b@shop.example', baseUrl: provider.url }
    await channels.addIntegration({ ...shared, providerId: 'resend' }, credentials)
    const { messages } = await channels.put(toDelivery('email', mail))
    const [message] = messages
    if (!message) throw new Error('a message is expected')
    expect((await channels.send(message)).patch).toMatchObject({ status: 'pending', attempts: 1 })
    expect((await channels.send({ ...message, attempts: 5 })).patch).toMatchObject({ providerId: 'resend' })
  })

  test('skips integrations that were disabled in the meantime, and fails after the last', async (context) => {
    const { channels, servers, ids, counts, put, read, port, disable } = await start(context)
    servers[0]?.answerNext({ status: 401 })
    const message = await put()
    await channels.send(message)
    await disable(1)
    const { patch, notes } = await port.send(message.id)
    expect(patch).toMatchObject({ status: 'pending', integrationId: ids[2], providerId: 'sendgrid' })
    expect(notes).toMatchObject([
      {
        ...{ providerId: 'postmark', status: 'Warning', isRetry: true, detail: expect.stringContaining('"sendgrid"') },
        raw: { code: 'integration_stopped', integrationIdentifier: 'sendgrid' },
      },
    ])
    await disable(2)
    const stopped = { status: 'error', errorId: 'integration_stopped', delivery: null }
    expect((await port.send(message.id)).patch).toMatchObject(stopped)
    await channels.db.updateTable('messages').set(patch).where('id', '=', message.id).execute()
    expect((await port.send(message.id)).patch).toMatchObject(stopped)
    expect((await read(message.id)).integrationId).toBe(ids[2])
    expect(counts()).toEqual([1, 0, 0])
  })

  test.for(['disabled', 'deleted'])('starts if the integration is %s while the message waits', async (how, context) => {
    const { channels, servers, ids, counts, put, read, port, disable, sendAll } = await start(context)
    servers[0]?.answerNext({ status: 429 })
    const message = await put()
    await channels.send(message)
    const [first = ''] = ids
    if (how === 'disabled') await disable(0)
    else await channels.db.deleteFrom('integrations').where('id', '=', first).execute()
    const { patch } = await port.send(message.id)
    expect(patch).toMatchObject({ status: 'pending', integrationId: ids[1], retryAt: patch.updatedAt })
    await channels.db.updateTable('messages').set(patch).where('id', '=', message.id).execute()
    const { row } = await sendAll(await read(message.id))
    expect(row).toMatchObject({ status: 'sent', providerId: 'postmark' })
    expect(counts()).toEqual([1, 1, 0])
  })

  test('leaves a message that was sent as it is if its integration is disabled', async (context) => {
    const { put, sendAll, port, disable } = await start(context)
    const { row } = await sendAll(await put())
    await disable(0)
    expect(await port.send(row.id)).toEqual({ patch: { status: 'sent' }, notes: [] })
  })

  test('repeats the same attempt after a crash, never with another integration', async (context) => {
    const { channels, servers, put, counts } = await start(context)
    const message = await put()
    servers[0]?.answerNext({ status: 401 }, { status: 401 })
    // The outcome of the first attempt is not stored, so the row still names the first integration.
    await channels.send(message)
    await channels.db.updateTable('messages').set(message).where('id', '=', message.id).execute()
    await channels.send(message)
    expect(counts()).toEqual([2, 0, 0])
  })
})
