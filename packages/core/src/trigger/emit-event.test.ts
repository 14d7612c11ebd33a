import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, beforeEach, expect, test, vi } from 'vitest'
import { silent } from '../call-bridge.fixture.ts'
import { type BridgeOptions, createBridge } from '../index.ts'
import { workflow } from '../workflow/workflow.ts'
import { emitEvent } from './emit-event.ts'

const received: { url: string | undefined; key: unknown; authorization: unknown; body: unknown }[] = []
let server: Server
let options: { apiUrl: string; secretKey: string }

beforeAll(async () => {
  server = createServer(async (request, response) => {
    let text = ''
    for await (const chunk of request) text += chunk
    const { url, headers } = request
    const { authorization } = headers
    received.push({ url, key: headers['idempotency-key'], authorization, body: JSON.parse(text) })
    const answer = { data: { acknowledged: true, eventId: 'e1' } }
    response.writeHead(201, { 'content-type': 'application/json' }).end(JSON.stringify(answer))
  }).listen(0, '127.0.0.1')
  await new Promise((resolve) => server.once('listening', resolve))
  options = { apiUrl: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, secretKey: 'sk' }
})
afterAll(() => server.close())
beforeEach(() => {
  received.length = 0
})

test('names missing settings', async () => {
  await expect(emitEvent({ name: 'e' }, { apiUrl: options.apiUrl })).rejects.toMatchObject({
    code: 'MissingSecretKeyError',
  })
})

test('sends the event with the secret and the key', async () => {
  const event = { name: 'e', payload: { id: 7 }, to: 'ada', match: { id: 7 } }
  expect(await emitEvent(event, { ...options, idempotencyKey: 'k' })).toEqual({ acknowledged: true, eventId: 'e1' })
  expect(received).toEqual([{ url: '/v1/events/emit', key: 'k', authorization: 'ApiKey sk', body: event }])
})

test('uses the environment variables', async () => {
  vi.stubEnv('SERVICE_SECRET_KEY', 'from-env')
  vi.stubEnv('SERVICE_API_URL', options.apiUrl)
  try {
    await emitEvent({ name: 'e' })
  } finally {
    vi.unstubAllEnvs()
  }
  expect(received).toMatchObject([{ authorization: 'ApiKey from-env', body: { name: 'e', payload: {} } }])
})

const target = workflow('target', async () => undefined)

/** Calls a handler that emits an event and triggers a workflow with its context. */
async function callHandler(bridgeOptions: Partial<BridgeOptions>, env?: object): Promise<Response> {
  const flow = workflow('flow', async ({ step }) => {
    await step.custom('emit', async (_controls, context) => {
      await target.trigger({ to: 'ada' }, context)
      return { ...(await emitEvent({ name: 'e' }, context)) }
    })
  })
  const bridge = createBridge({
    ...{ workflows: [flow], logger: silent, strictAuthentication: false },
    ...bridgeOptions,
  })
  const body = JSON.stringify({ payload: {}, state: [] })
  const url = 'https://app.test/?action=execute&workflowId=flow&stepId=emit'
  const request = new Request(url, { method: 'POST', headers: { 'content-type': 'application/json' }, body })
  return bridge.fetch(request, env ? { env } : {})
}

test.each([
  ['the options of the bridge', () => callHandler({ ...options, secretKey: ['new', 'old'] }), 'new'],
  [
    'variables that the platform passes with the call',
    () => callHandler({}, { SERVICE_SECRET_KEY: 'bound', SERVICE_API_URL: options.apiUrl }),
    'bound',
  ],
])('uses the account of the call in a handler: %s', async (_what, call, secret) => {
  expect((await call()).status).toBe(200)
  expect(received).toMatchObject([
    { url: '/v1/events/trigger', authorization: `ApiKey ${secret}`, key: expect.any(String) },
    { url: '/v1/events/emit', authorization: `ApiKey ${secret}`, key: expect.any(String) },
  ])
  expect(received[0]?.key).toBe(received[1]?.key)
})

test('uses the account of the bridges, unless they have different ones', async () => {
  vi.resetModules()
  const core = await import('../index.ts')
  const mount = (secretKey?: string): unknown =>
    core.createBridge({
      workflows: [core.workflow('flow', async () => undefined)],
      ...(secretKey !== undefined && { secretKey, apiUrl: options.apiUrl }),
    })
  mount('mine')
  mount('mine')
  await core.emitEvent({ name: 'e' })
  expect(received).toMatchObject([{ authorization: 'ApiKey mine' }])
  mount()
  await expect(core.emitEvent({ name: 'e' })).rejects.toThrow(/Several bridges.*Pass both, or the context/)
  await core.emitEvent({ name: 'e' }, options)
  expect(received[1]).toMatchObject({ authorization: 'ApiKey sk' })
})
