import { createServer, request } from 'node:http'
import { type AddressInfo, connect } from 'node:net'
import { networkInterfaces } from 'node:os'
import { describe, expect, onTestFinished, type TestContext, test, vi } from 'vitest'
import type { ServiceOptions } from '../config/generated/service-options.ts'
import { loopHeader } from '../outbound/service-outbound.ts'
import { startTestService, type TestService } from './service.fixture.ts'

const canary = '/own-canary'

/** Starts another server on loopback. */
async function serveOther() {
  const received: Readonly<Record<string, unknown>>[] = []
  const server = createServer(({ url, headers }, response) => {
    received.push({ url, ...headers })
    response.setHeader('content-type', 'application/json').end('{}')
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => {
    server.closeAllConnections()
    server.close()
  })
  return { received, port: (server.address() as AddressInfo).port }
}

const start = (context: TestContext, options: ServiceOptions = {}) =>
  startTestService('sqlite', context, {
    work: true,
    ...options,
    bridge: { sleep: async () => undefined, timeoutMs: 2000, lookup: async () => ['127.0.0.1'], ...options.bridge },
  })

type Send = (tested: TestService, url: string, headers?: Readonly<Record<string, string>>) => Promise<unknown>

async function triggerStep({ call }: TestService, step: object): Promise<unknown> {
  const steps = [{ stepId: 's', name: 'S', ...step }]
  await call('DELETE', '/v2/workflows/w')
  await call('POST', '/v2/workflows', { name: 'W', workflowId: 'w', active: true, steps })
  const { transactionId } = (await call('POST', '/v1/events/trigger', { name: 'w', to: 'ada' })).body.data
  return vi.waitFor(async () => {
    const { data } = (await call('GET', `/v1/studio/runs?transactionId=${transactionId}`)).body
    expect(data[0]?.status).not.toBe('running')
    const { body } = await call('GET', `/v1/studio/runs/${data[0]?._id}`)
    return JSON.stringify(body)
  }, 10_000)
}

/** All features through which a key holder makes the service send a request. */
const ways: Readonly<Record<string, Send>> = {
  'an HTTP step': (tested, url, headers = {}) =>
    triggerStep(tested, {
      type: 'http_request',
      controlValues: {
        ...{ method: 'GET', url },
        headers: Object.entries(headers).map(([key, value]) => ({ key, value })),
      },
    }),
  async 'a webhook'(tested, url, headers = {}) {
    const { call } = tested
    const { body } = await call('POST', '/v1/integrations', {
      ...{ providerId: 'tool-webhook', channel: 'tool', active: true },
      credentials: { webhookUrl: url },
    })
    const overrides = { providers: { 'tool-webhook': { _passthrough: { headers } } } }
    const outcome = await triggerStep(tested, {
      type: 'tool',
      controlValues: { body: 'b' },
      providerOverrides: overrides.providers,
    })
    await call('DELETE', `/v1/integrations/${body.data._id}`)
    return outcome
  },
  'a sync': async ({ call }, bridgeUrl) => (await call('POST', '/v1/bridge/sync', { bridgeUrl })).text,
  'a check of a bridge': async ({ call }, bridgeUrl) => (await call('POST', '/v1/bridge/validate', { bridgeUrl })).text,
  async 'a check of a mail server'({ call }, url) {
    const { hostname, port } = new URL(url)
    const host = hostname.replace(/^\[|\]$/g, '')
    const credentials = { host, port, from: 'a@b.example' }
    const body = { providerId: 'nodemailer', channel: 'email', active: true, check: true, credentials }
    return (await call('POST', '/v1/integrations', body)).text
  },
}

const forms = ['127.0.0.1', '127.1', '2130706433', '0x7f000001', '[::ffff:127.0.0.1]', '[::1]', 'own.test', '0.0.0.0']
const allow = ['0.0.0.0/8', '127.0.0.0/8', '::/127', '10.0.0.0/8', '172.16.0.0/12', '192.168.0.0/16', '100.64.0.0/10']

describe.each(Object.entries(ways))('%s', (name, send) => {
  test('reaches another server on loopback, but never the service itself', async (context) => {
    const tested = await start(context, { bridge: { allow } })
    const other = await serveOther()
    await send(tested, `http://127.0.0.1:${other.port}/other`)
    if (!name.includes('mail')) expect(other.received.length).toBeGreaterThan(0)
    const { port } = new URL(tested.service.url)
    const connections = vi.fn()
    for (const form of forms) await send(tested, `http://${form}:${port}${canary}`)
    // One of the addresses would reach the service without the policy.
    await new Promise((resolve, reject) =>
      connect(Number(port), '127.1').on('connect', resolve).on('error', reject),
    ).then(connections)
    expect(connections).toHaveBeenCalled()
    expect(tested.log.filter((line) => line.includes(`"path":"${canary}`))).toEqual([])
  })
})

test('a service that listens on all interfaces cannot be reached through any address of its machine', async (context) => {
  const tested = await start(context, { host: '0.0.0.0', bridge: { allow } })
  const { port } = new URL(tested.service.url)
  const addresses = Object.values(networkInterfaces()).flatMap((list = []) => list.map(({ address }) => address))
  const hosts = addresses
    .filter((address) => !address.startsWith('fe80'))
    .map((one) => (one.includes(':') ? `[${one}]` : one))
  for (const form of [...forms, ...hosts]) {
    const { body } = await tested.call('POST', '/v1/bridge/validate', { bridgeUrl: `http://${form}:${port}${canary}` })
    expect([form, body.data.isValid]).toEqual([form, false])
  }
  expect(tested.log.filter((line) => line.includes(`"path":"${canary}`))).toEqual([])
})

test('rejects a request that returns to the service through a proxy', async (context) => {
  const tested = await start(context)
  const { hostname, port } = new URL(tested.service.url)
  const statuses: (number | undefined)[] = []
  const proxy = createServer(({ url, method, headers }, response) => {
    const host = `${hostname}:${port}`
    const passed = request({ hostname, port, path: url, method, headers: { ...headers, host } }, (answer) => {
      statuses.push(answer.statusCode)
      answer.pipe(response)
    })
    passed.end()
  })
  await new Promise<void>((resolve) => proxy.listen(0, '127.0.0.1', resolve))
  context.onTestFinished(() => {
    proxy.closeAllConnections()
    proxy.close()
  })
  const url = `http://127.0.0.1:${(proxy.address() as AddressInfo).port}/health`
  expect((await fetch(url)).status).toBe(200)
  expect(await ways['an HTTP step']?.(tested, url)).toContain('403')
  expect(statuses).toEqual([200, 403])
})

describe('request headers', () => {
  const closed = [
    'sec-fetch-site',
    'Sec-Anything',
    'origin',
    'Cookie',
    'proxy-authorization',
    'host',
    'x-forwarded-for',
    'via',
  ]
  test.each(['an HTTP step', 'a webhook'])('of %s cannot include headers that browsers or proxies set', async (way) => {
    const context = { onTestFinished, skip: () => undefined } as unknown as TestContext
    const tested = await start(context)
    const other = await serveOther()
    const url = `http://127.0.0.1:${other.port}/`
    await ways[way]?.(tested, url, { 'x-own': 'yes' })
    expect(other.received).toMatchObject([{ 'x-own': 'yes', [loopHeader]: expect.any(String) }])
    for (const name of closed)
      expect(String(await ways[way]?.(tested, url, { [name]: 'none' }))).toContain('cannot be set')
    expect(other.received).toHaveLength(1)
  })
})

describe('loopback', () => {
  const reach = async (context: TestContext, options: ServiceOptions) => {
    const tested = await start(context, options)
    const other = await serveOther()
    await ways['an HTTP step']?.(tested, `http://127.0.0.1:${other.port}/`)
    return other.received.length
  }

  test('is allowed in any spelling while the service listens there', async (context) => {
    expect(await reach(context, { host: '127.0.0.1' })).toBe(1)
  })

  test('is blocked while it listens on other interfaces', async (context) => {
    expect(await reach(context, { host: '0.0.0.0' })).toBe(0)
    expect(await reach(context, { host: '0.0.0.0', bridge: { allow: ['127.0.0.0/8'] } })).toBe(1)
  })

  test('is blocked by an empty SERVICE_SAFE_OUTBOUND_ALLOW', async (context) => {
    vi.stubEnv('SERVICE_SAFE_OUTBOUND_ALLOW', '')
    context.onTestFinished(() => void vi.unstubAllEnvs())
    expect(await reach(context, {})).toBe(0)
  })
})
