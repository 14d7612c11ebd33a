import { sign } from '@trestle/protocol'
import { expect, it } from 'vitest'
import { startService } from '../../start/start-service.ts'
import { createDatabase, drivers } from '../../store/stores.fixture.ts'
import { secretKey } from '../service.fixture.ts'
import { sendTo, serveWebhook, startMailScene } from './mail.fixture.ts'

const routes = 'POST /v1/domains/in.test/routes'
const mails = '/v1/studio/inbound-mails'

it.for(drivers)('delivers an email to its signed webhook once (%s)', async (driver, context) => {
  const { ok, call, service } = await startMailScene(driver, context)
  const webhook = await serveWebhook()
  await ok(routes, { address: 'support', type: 'webhook', webhookUrl: webhook.url, data: { queue: 'one' } })
  const attachments = [{ filename: 'a.txt', content: 'file' }]
  const mail = { to: 'Support+Orders@In.test, support+orders@in.test', messageId: '<m1@person.test>', attachments }
  const date = new Date(0)
  // Sends the same bytes again: the sending server missed the confirmation of the first delivery.
  const raw = `From: Ada <ada@person.test>\r\nMessage-ID: <m2@person.test>\r\nSubject: Raw\r\n\r\nHello\r\n`
  const envelope = { from: 'ada@person.test', to: ['support@in.test'] }
  expect(await sendTo(service.mailPort, { ...mail, date })).toMatch(/^250/)
  expect(await sendTo(service.mailPort, { raw, envelope })).toMatch(/^250/)
  expect(await sendTo(service.mailPort, { raw, envelope })).toMatch(/^250/)
  const calls = await webhook.waitForCalls(2)
  const first = calls.find(({ body }) => body.mail.messageId === '<m1@person.test>')
  expect(first?.body).toMatchObject({
    ...{ type: 'email.received', recipient: 'support+orders@in.test', domain: { name: 'in.test' } },
    ...{ route: { address: 'support', data: { queue: 'one' } }, authentication: { verdict: 'pass' } },
    envelope: { from: 'ada@person.test', remoteAddress: '127.0.0.1', tls: false },
    mail: { from: { address: 'ada@person.test' }, subject: 'Help', attachments: [{ content: 'ZmlsZQ==' }] },
  })
  const signature = String(first?.headers['service-signature'])
  const nowMs = Number(/^t=(\d+)/.exec(signature)?.[1])
  expect(signature).toBe(await sign(secretKey, first?.text ?? '', { nowMs }))
  expect(first?.headers['idempotency-key']).toBe(first?.body.id)

  await expect.poll(async () => (await call('GET', `${mails}?status=delivered`)).body.totalCount).toBe(2)
  const { data } = (await call('GET', mails)).body
  expect(data).toMatchObject([
    { subject: 'Raw', attempts: 1 },
    { subject: 'Help', sender: 'ada@person.test' },
  ])
  const storedMail = await ok(`GET ${mails}/${first?.body.id}`)
  expect(storedMail.content.mail.attachments).toEqual([{ fileName: 'a.txt', contentType: 'text/plain', sizeBytes: 4 }])
  expect(webhook.calls).toHaveLength(2)
})

it.for(drivers)('delivers an email once after a crash between receipt and delivery (%s)', async (driver, context) => {
  const { address } = await createDatabase(driver, context)
  const { ok, service, inboundMail } = await startMailScene(driver, context, { ...address, work: false })
  const webhook = await serveWebhook()
  await ok(routes, { address: '*', type: 'webhook', webhookUrl: webhook.url })
  expect(await sendTo(service.mailPort, { to: 'any@in.test' })).toMatch(/^250/)
  expect(webhook.calls).toEqual([])
  const common = {
    ...address,
    port: 0,
    logLevel: 'silent',
    encryptionKey: Buffer.alloc(32, 5).toString('base64'),
  } as const
  // This service stops after its webhook has received the mail and before it has responded.
  let answer = (_status: number): void => undefined
  webhook.answer = () =>
    new Promise((resolve) => {
      answer = resolve
    })
  const dying = await startService({ ...common, inboundMail, stopGraceMs: 0 })
  await webhook.waitForCalls(1)
  await dying.stop()
  answer(200)
  webhook.answer = () => 200
  const next = await startService({ ...common, inboundMail })
  context.onTestFinished(() => next.stop())
  const calls = await webhook.waitForCalls(2)
  expect(new Set(calls.map(({ headers }) => headers['idempotency-key'])).size).toBe(1)
  await expect.poll(async () => (await ok(`GET ${mails}/${calls[0]?.body.id}`)).status).toBe('delivered')
  expect(webhook.calls).toHaveLength(2)
})

it('rejects mail without a matching route', async (context) => {
  const { ok, call, service, dns } = await startMailScene('sqlite', context)
  await ok(routes, { address: 'a', type: 'webhook', webhookUrl: 'https://app.test/' })
  await ok('POST /v1/domains', { name: 'pending.test' })
  await ok('POST /v1/domains/pending.test/routes', { address: '*', type: 'webhook', webhookUrl: 'https://app.test/' })
  for (const to of ['b@in.test', 'a@pending.test', 'a@else.test'])
    expect(await sendTo(service.mailPort, { to })).toMatch(/^550 5\.1\.1 /)
  expect(await sendTo(service.mailPort, { to: 'a@in.test', text: 'x'.repeat(11 * 1024 * 1024) })).toMatch(/^552 /)
  dns.zone.set('_dmarc.bank.test', { TXT: ['v=DMARC1; p=reject'] })
  expect(await sendTo(service.mailPort, { to: 'a@in.test', from: 'x@bank.test' })).toMatch(/^550 5\.7\.26 /)
  expect((await call('GET', mails)).body.totalCount).toBe(0)
})

it('marks unauthenticated and automatic mail', async (context) => {
  const { ok, service } = await startMailScene('sqlite', context)
  const webhook = await serveWebhook()
  await ok(routes, { address: 'a', type: 'webhook', webhookUrl: webhook.url })
  await sendTo(service.mailPort, { to: 'a@in.test', from: 'x@unknown.test' })
  await sendTo(service.mailPort, { to: 'a@in.test', headers: { 'auto-submitted': 'auto-replied' } })
  const bodies = (await webhook.waitForCalls(2)).map(({ body }) => body)
  expect(bodies.find(({ mail }) => mail.from.address === 'x@unknown.test').authentication.verdict).toBe('none')
  expect(bodies.find(({ automatic }) => automatic)?.automatic).toEqual({
    ...{ kind: 'auto-reply', reason: 'It has "Auto-Submitted: auto-replied".' },
  })
})

it('fails permanently for a forbidden webhook, and retries a failing one', async (context) => {
  const { ok, call, service } = await startMailScene('sqlite', context)
  const webhook = await serveWebhook()
  webhook.answer = () => 500
  await ok(routes, { address: 'inside', type: 'webhook', webhookUrl: 'http://10.0.0.1/' })
  await ok(routes, { address: 'broken', type: 'webhook', webhookUrl: webhook.url })
  await sendTo(service.mailPort, { to: 'inside@in.test, broken@in.test' })
  const find = async (recipient: string) => {
    const { data } = (await call('GET', mails)).body
    return data.find((mail: { recipient: string }) => mail.recipient === recipient)
  }
  await expect.poll(async () => (await find('inside@in.test')).status).toBe('failed')
  await expect.poll(async () => (await find('broken@in.test')).attempts).toBe(1)
  const { _id: failedId, reason } = await find('inside@in.test')
  expect(reason).toContain('outbound address policy')
  expect(await find('broken@in.test')).toMatchObject({ status: 'pending', reason: 'The webhook answered 500.' })
  const waiting = await call('POST', `${mails}/${(await find('broken@in.test'))._id}/deliver`)
  expect([waiting.status, waiting.body.message]).toEqual([409, expect.stringContaining('pending')])
  await ok(`POST ${mails}/${failedId}/deliver`)
  await expect.poll(async () => (await find('inside@in.test')).attempts).toBe(1)
})

it('sends a test email through a route', async (context) => {
  const { ok, call } = await startMailScene('sqlite', context)
  const webhook = await serveWebhook()
  await ok(routes, { address: 'a', type: 'webhook', webhookUrl: webhook.url })
  await ok(routes, { address: 'help', type: 'agent', agentId: 'support' })
  const mail = { from: { address: 'ada@person.test' }, subject: 'Test', text: 'Hello' }
  const test = 'POST /v1/domains/in.test/routes/a/test'
  const dry = await ok(test, { ...mail, dryRun: true })
  expect(dry).toMatchObject({ matched: true, domainStatus: 'verified', wouldDeliverTo: webhook.url })
  expect(dry.payload).toMatchObject({ recipient: 'a@in.test', mail: { subject: 'Test', text: 'Hello' } })
  expect(webhook.calls).toEqual([])
  expect(await ok(test, mail)).toMatchObject({ dryRun: false, webhook: { latencyMs: expect.any(Number) } })
  expect(webhook.calls.map(({ body }) => body.mail.subject)).toEqual(['Test'])
  webhook.answer = () => 500
  const failed = await call('POST', '/v1/domains/in.test/routes/a/test', mail)
  expect([failed.status, failed.body.message]).toEqual([502, expect.stringContaining('The webhook answered 500.')])
  expect(await ok('POST /v1/domains/in.test/routes/help/test', mail)).toMatchObject({ agent: { agentId: 'support' } })
  expect((await ok('GET /v1/studio/agents'))[0]).toEqual({ agentId: 'support', conversations: 1 })
})
