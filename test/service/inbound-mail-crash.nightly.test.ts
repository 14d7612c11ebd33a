import { setTimeout as pause } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { serveRecords } from '../../packages/bridge-client/fixtures/record-server.ts'
import { sendTo, serveWebhook } from '../../packages/service/src/operations/domains/mail.fixture.ts'
import { createDatabase, drivers } from '../../packages/service/src/store/stores.fixture.ts'
import { draws } from '../scope.ts'
import { startServiceProcess } from './service-process.ts'

// A crash is a SIGKILL while emails arrive and are delivered to a webhook. The number of crashes in each test.
const crashes = draws(1, 10)
const secretKey = 'sk_development_0123456789'

test.for(drivers)('a service that crashes still delivers each accepted email once (%s)', async (driver, context) => {
  const { address } = await createDatabase(driver, context)
  const dns = await serveRecords({ 'person.test': { TXT: ['v=spf1 ip4:127.0.0.1 -all'] } })
  const webhook = await serveWebhook()
  const start = async (options: object = {}) => {
    const service = await startServiceProcess({
      ...address,
      inboundMail: { hostName: 'mx.service.test', port: 0, nameServers: [dns.address] },
      ...{ secretKeys: { Development: secretKey }, encryptionKey: Buffer.alloc(32, 5).toString('base64') },
      ...options,
    })
    context.onTestFinished(() => service.kill())
    return service
  }
  // A mail server resends the same bytes until their receipt is confirmed.
  const send = (id: string, port: number | undefined) =>
    sendTo(port, {
      raw: `From: Ada <ada@person.test>\r\nMessage-ID: <${id}@person.test>\r\nSubject: ${id}\r\n\r\nHello\r\n`,
      envelope: { from: 'ada@person.test', to: ['any@in.test'] },
    })

  const receiving = await start({ work: false })
  const call = async (line: string, body?: object) => {
    const [method = '', path = ''] = line.split(' ', 2)
    const headers = { authorization: `ApiKey ${secretKey}`, 'content-type': 'application/json' }
    const response = await fetch(receiving.url + path, { method, headers, body: JSON.stringify(body ?? {}) })
    expect(response.status, line).toBeLessThan(300)
    return ((await response.json()) as { readonly data: { expectedDnsRecords: [{ content: string }] } }).data
  }
  const { expectedDnsRecords } = await call('POST /v1/domains', { name: 'in.test' })
  dns.zone.set('_trestle-challenge.in.test', { TXT: [expectedDnsRecords[0].content] })
  await call('POST /v1/domains/in.test/verify')
  await call('POST /v1/domains/in.test/routes', { address: '*', type: 'webhook', webhookUrl: webhook.url })

  // The first service dies after it has accepted an email, and before anything is delivered.
  expect(await send('first', receiving.mailPort)).toMatch(/^250/)
  await receiving.kill()
  expect(webhook.calls).toEqual([])

  webhook.answer = async () => {
    await pause(Math.random() * 50)
    return 200
  }
  const ids = ['first']
  for (let crash = 0; crash < crashes; crash++) {
    const living = await start()
    const sent = Array.from({ length: 6 }, (_, index) => `${crash}-${index}`)
    const sending = sent.map((id) => send(id, living.mailPort))
    await Promise.race(sending)
    await pause(Math.random() * 100)
    await living.kill()
    await Promise.all(sending)
    // Some confirmations were lost, others were never sent.
    const next = await start()
    for (const id of sent) expect(await send(id, next.mailPort)).toMatch(/^250/)
    await next.kill()
    ids.push(...sent)
  }

  const last = await start()
  const keysOf = (id: string) =>
    new Set(webhook.calls.filter(({ body }) => body.mail.subject === id).map(({ body }) => body.id))
  await expect.poll(() => ids.filter((id) => keysOf(id).size === 0), { timeout: 60_000 }).toEqual([])
  expect(ids.filter((id) => keysOf(id).size !== 1)).toEqual([])
  // Repeated attempts carry the same key.
  expect(webhook.calls.every(({ headers, body }) => headers['idempotency-key'] === body.id)).toBe(true)
  await last.kill()
})
