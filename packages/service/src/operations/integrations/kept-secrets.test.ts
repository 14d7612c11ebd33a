import { createServer } from 'node:http'
import { type AddressInfo, createServer as createTcp } from 'node:net'
import { describe, expect, onTestFinished, test, vi } from 'vitest'
import { serveBridge } from '../bridge.fixture.ts'
import { startTestService } from '../service.fixture.ts'

/** An attacker's server that records its requests. */
async function serveThief() {
  const received: string[] = []
  const server = createServer((request, response) => {
    const chunks: Buffer[] = []
    request.on('data', (chunk: Buffer) => chunks.push(chunk))
    request.on('end', () => {
      received.push(`${request.rawHeaders.join(' ')} ${Buffer.concat(chunks).toString()}`)
      response.setHeader('content-type', 'application/json').end('{}')
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => {
    server.closeAllConnections()
    server.close()
  })
  return { received, url: `http://127.0.0.1:${(server.address() as AddressInfo).port}` }
}

const canary = 'canary-secret'
const secrets = { apiKey: canary, secretKey: canary, token: canary, password: canary, signingSecret: canary }
const cases = [
  ['sendgrid', 'email', { from: 'a@b.example' }, 'baseUrl'],
  ['resend', 'email', { from: 'a@b.example' }, 'baseUrl'],
  ['postmark', 'email', { from: 'a@b.example' }, 'baseUrl'],
  ['mailgun', 'email', { from: 'a@b.example', domain: 'd.example' }, 'baseUrl'],
  ['twilio', 'sms', { accountSid: 'AC', from: '+1' }, 'baseUrl'],
  ['expo', 'push', {}, 'baseUrl'],
  ['push-webhook', 'push', { webhookUrl: 'https://a.example', apiKeyRequestHeader: 'x-api-key' }, 'webhookUrl'],
  ['generic-sms', 'sms', { baseUrl: 'https://a.example', apiKeyRequestHeader: 'x-api-key' }, 'baseUrl'],
  ['slack', 'chat', { webhookUrl: 'https://hooks.slack.com/x' }, 'baseUrl'],
] as const

test.each(cases)(
  'does not send a masked secret of %s to a different address',
  async (providerId, channel, more, address) => {
    const context = { onTestFinished, skip: () => undefined } as never
    const { call } = await startTestService('sqlite', context)
    const thief = await serveThief()
    const credentials = { ...secrets, ...more }
    const { body } = await call('POST', '/v1/integrations', { providerId, channel, active: true, credentials })
    const path = `/v1/integrations/${body.data._id}`
    const maskedCredentials = body.data.credentials
    const moved = await call('PUT', path, { credentials: { ...maskedCredentials, [address]: thief.url }, check: true })
    expect([moved.status, JSON.stringify(moved.body.errors)]).toEqual([422, expect.stringContaining(address)])
    expect((await call('PUT', path, { credentials: { ...maskedCredentials, from: 'c@d.example' } })).status).toBe(200)
    expect((await call('PUT', path, { credentials: { ...credentials, [address]: thief.url } })).status).toBe(200)
    expect(thief.received.join('')).not.toContain(canary)
  },
)

test('does not send the masked password of a mail server to a different server, or without TLS', async (context) => {
  const { call } = await startTestService('sqlite', context)
  const lines: string[] = []
  const thief = createTcp((socket) => {
    socket.write('220 here\r\n')
    socket.on('data', (chunk) => {
      lines.push(chunk.toString())
      socket.write(chunk.toString().startsWith('EHLO') ? '250-here\r\n250 AUTH PLAIN\r\n' : '235 yes\r\n')
    })
    socket.on('error', () => undefined)
  })
  await new Promise<void>((resolve) => thief.listen(0, '127.0.0.1', resolve))
  context.onTestFinished(() => void thief.close())
  const port = String((thief.address() as AddressInfo).port)
  const credentials = { host: '127.0.0.1', port, user: 'u', password: canary, requireTls: true, from: 'a@b.example' }
  const { body } = await call('POST', '/v1/integrations', { providerId: 'nodemailer', active: true, credentials })
  const path = `/v1/integrations/${body.data._id}`
  for (const change of [{ host: '127.0.0.2' }, { requireTls: false }, { tlsOptions: { rejectUnauthorized: false } }]) {
    const sent = { ...body.data.credentials, ...change }
    expect((await call('PUT', path, { credentials: sent, check: true })).status).toBe(422)
  }
  expect(lines).toEqual([])
  // A password sent in full goes to the new server.
  await call('PUT', path, { credentials: { ...credentials, requireTls: false }, check: true })
  expect(lines.join('')).toContain('AUTH')
})

describe("a recipient's own webhook", () => {
  const integration = {
    ...{ providerId: 'push-webhook', channel: 'push', identifier: 'push', active: true },
    credentials: {
      ...{ apiKey: canary, apiKeyRequestHeader: 'x-api-key', secretKey: canary, secretKeyRequestHeader: 'x-secret' },
      hmacKey: 'canary-hmac',
    },
  }
  test.each(['credentials', 'endpoint'])(
    '(from their %s) receives neither the key nor the signature of the integration',
    async (way) => {
      const context = { onTestFinished, skip: () => undefined } as never
      const { call } = await startTestService('sqlite', context, { work: true })
      const [own, thief] = [await serveThief(), await serveThief()]
      const credentials = { ...integration.credentials, webhookUrl: `${own.url}/own` }
      await call('POST', '/v1/integrations', { ...integration, credentials })
      await call('POST', '/v2/workflows', {
        ...{ name: 'W', workflowId: 'w', active: true },
        steps: [{ stepId: 's', name: 'S', type: 'push', controlValues: { subject: 's', body: 'b' } }],
      })
      await call('POST', '/v2/subscribers', { subscriberId: 'ada' })
      await call('POST', '/v2/subscribers', { subscriberId: 'eve' })
      const webhookUrl = `${thief.url}/eve`
      const stored =
        way === 'credentials'
          ? await call('PUT', '/v1/subscribers/eve/credentials', {
              providerId: 'push-webhook',
              credentials: { webhookUrl },
            })
          : await call('POST', '/v1/channel-endpoints', {
              ...{ subscriberId: 'eve', integrationIdentifier: 'push', type: 'webhook', endpoint: { url: webhookUrl } },
            })
      expect(stored.status).toBeLessThan(300)
      for (const to of ['ada', 'eve']) await call('POST', '/v1/events/trigger', { name: 'w', to })
      await vi.waitFor(() => expect([own.received.length, thief.received.length]).toEqual([1, 1]), 15_000)
      expect(own.received[0]).toContain(canary)
      expect(own.received[0]).toContain('service-signature')
      expect(thief.received[0]).not.toContain('canary')
      expect(thief.received[0]).not.toContain('service-signature')
    },
  )
})

const types = [
  ['in_app', { body: 'token {{ env.TOKEN }}' }],
  ['email', { subject: '{{ env.TOKEN }}', body: '<p>{{ env.TOKEN }}</p>', editorType: 'html' }],
  ['sms', { body: '{{ env.TOKEN }}' }],
  ['push', { subject: '{{ env.TOKEN }}', body: '{{ env.TOKEN }}' }],
  ['chat', { body: '{{ env.TOKEN }}' }],
  ['tool', { body: '{{ env.TOKEN }}' }],
] as const

test.each(['canary-variable', 'canary","', '{"canary":'])(
  'masks the secret variable %j in messages, outbox, runs and previews',
  async (value) => {
    const context = { onTestFinished, skip: () => undefined } as never
    const { call, environmentId } = await startTestService('sqlite', context, { work: true })
    const values = [{ _environmentId: environmentId, value }]
    await call('POST', '/v1/environment-variables', { key: 'TOKEN', isSecret: true, values })
    const steps = types.map(([type, controlValues]) => ({ stepId: `s-${type}`, name: type, type, controlValues }))
    await call('POST', '/v2/workflows', { name: 'W', workflowId: 'w', active: true, steps })
    const to = { subscriberId: 'ada', email: 'a@b.example', phone: '+1' }
    await call('POST', '/v1/events/trigger', { name: 'w', to, payload: { quoted: value } })
    await vi.waitFor(
      async () => expect((await call('GET', '/v1/messages')).body.data).toHaveLength(types.length),
      15_000,
    )
    const { data: outbox } = (await call('GET', '/v1/studio/outbox')).body
    expect(outbox.length).toBeGreaterThan(0)
    const { data: runs } = (await call('GET', '/v1/studio/runs')).body
    const texts = [
      ...['/v1/messages', '/v1/studio/outbox', `/v1/studio/outbox/${outbox[0]._id}`, '/v1/notifications'],
      ...[`/v1/studio/runs/${runs[0]._id}`, '/v1/studio/bridge-calls'],
    ].map((path) => ['GET', path, undefined] as const)
    const previews = types.flatMap(([type]) => [
      ['POST', `/v1/studio/workflows/w/steps/s-${type}/preview`, {}] as const,
      ['POST', `/v2/workflows/w/step/s-${type}/preview`, {}] as const,
      ['POST', `/v1/bridge/preview/w/s-${type}`, {}] as const,
    ])
    for (const [method, path, body] of [
      ...texts,
      ...previews,
      ['POST', `/v1/studio/outbox/${outbox[0]._id}/read`, undefined] as const,
    ]) {
      const { status, text } = await call(method, path, body)
      expect([path, status < 300, text.includes('canary')]).toEqual([path, true, false])
      expect([path, text.includes('******')]).toEqual([path, true])
    }
  },
)

test('sends no secret variable to a bridge given by a trigger', async (context) => {
  const { call, environmentId } = await startTestService('sqlite', context, { work: true })
  const [own, other] = [await serveBridge(), await serveBridge()]
  for (const [key, isSecret] of [
    ['TOKEN', true],
    ['REGION', false],
  ] as const) {
    const values = [{ _environmentId: environmentId, value: `value of ${key}` }]
    await call('POST', '/v1/environment-variables', { key, isSecret, values })
  }
  await call('POST', '/v1/bridge/sync', { bridgeUrl: own.url })
  await call('POST', '/v1/events/trigger', { name: 'welcome', to: 'ada' })
  await call('POST', '/v1/events/trigger', { name: 'welcome', to: 'ada', bridgeUrl: other.url })
  const executed = (bridge: typeof own) => bridge.calls.filter(({ action }) => action === 'execute')
  await vi.waitFor(() => expect([executed(own).length > 0, executed(other).length > 0]).toEqual([true, true]), 15_000)
  expect(executed(own)[0]?.body['env']).toMatchObject({ TOKEN: 'value of TOKEN', REGION: 'value of REGION' })
  expect(executed(other)[0]?.body['env']).toEqual({ name: 'Development', type: 'dev', REGION: 'value of REGION' })
})
