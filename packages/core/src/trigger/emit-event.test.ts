import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, beforeEach, expect, test, vi } from 'vitest'
import { silent } from '../call-bridge.fixture.ts'
import { type BridgeOptions, createBridge, type HandlerContext } from '../index.ts'
import { workflow } from '../workflow/workflow.ts'
import { emitEvent } from './emit-event.ts'

interface Received {
  readonly url: string | undefined
  readonly key: unknown
  readonly authorization: unknown
  // biome-ignore lint/suspicious/noExplicitAny: tests look into bodies of any shape.
  readonly body: any
}

const received: Received[] = []
let server: Server
let options: { apiUrl: string; secretKey: string }

beforeAll(async () => {
  server = createServer(async (request, response) => {
    let text = ''
    for await (const chunk of request) text += chunk
    const { url, headers } = request
    const { authorization } = headers
    const current = { url, key: headers['idempotency-key'], authorization, body: JSON.parse(text) }
    const earlier = received.find(({ key }) => key === current.key)
    received.push(current)
    const isReused = earlier && JSON.stringify([earlier.url, earlier.body]) !== JSON.stringify([url, current.body])
    const message = `Request with key "${current.key}" is being reused for a different body`
    const results = current.body.events?.map(() => ({ acknowledged: true, status: 'processed' }))
    const data = results ?? { acknowledged: true, eventId: 'e1' }
    const answer = isReused ? { statusCode: 422, message } : { data }
    response.writeHead(isReused ? 422 : 201, { 'content-type': 'application/json' }).end(JSON.stringify(answer))
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
// Only the first request of the first attempt is slow.
const delaysMs = [30]
async function validate(value: unknown): Promise<{ value: unknown }> {
  await new Promise((resolve) => setTimeout(resolve, delaysMs.shift()))
  return { value }
}
const slow = workflow('slow', async () => undefined, {
  payloadSchema: { '~standard': { version: 1, vendor: 'slow', validate } },
})

type Handler = (context: HandlerContext) => Promise<unknown>

const requests: Handler = async (context) => {
  await target.trigger({ to: 'ada' }, context)
  await emitEvent({ name: 'e' }, context)
}

/** Calls a step whose handler makes requests with its context. */
async function callHandler(
  bridgeOptions: Partial<BridgeOptions>,
  { env, handler = requests }: { readonly env?: object; readonly handler?: Handler } = {},
): Promise<Response> {
  const flow = workflow('flow', async ({ step }) => {
    await step.custom('emit', async (_controls, context) => {
      await handler(context)
      return {}
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
    () => callHandler({}, { env: { SERVICE_SECRET_KEY: 'bound', SERVICE_API_URL: options.apiUrl } }),
    'bound',
  ],
])('uses the account of the call in a handler: %s', async (_what, call, secret) => {
  expect((await call()).status).toBe(200)
  expect(received).toMatchObject([
    { url: '/v1/events/trigger', authorization: `ApiKey ${secret}`, key: expect.any(String) },
    { url: '/v1/events/emit', authorization: `ApiKey ${secret}`, key: expect.any(String) },
  ])
})

test.each<[string, Handler]>([
  [
    'one after another',
    async (context) => {
      await target.trigger({ to: 'ada' }, context)
      await target.trigger({ to: 'bob' }, { ...context })
      await target.triggerBulk([{ to: 'cy' }, { to: 'dan' }], context)
      await emitEvent({ name: 'e' }, context)
      await emitEvent({ name: 'e' }, context)
    },
  ],
  [
    'in parallel',
    (context) =>
      Promise.all([
        slow.trigger({ to: 'ada' }, context),
        emitEvent({ name: 'e' }, context),
        slow.trigger({ to: 'bob' }, { ...context }),
        target.triggerBulk([{ to: 'cy' }, { to: 'dan' }], context),
        emitEvent({ name: 'e' }, context),
      ]),
  ],
])('gives each request of a handler its own key, the same in each attempt: %s', async (_how, handler) => {
  expect((await callHandler(options, { handler })).status).toBe(200)
  const first = received.splice(0).map(({ key, url, body }) => ({ key, url, body }))
  expect(new Set(first.map(({ key }) => key)).size).toBe(5)
  expect((await callHandler(options, { handler })).status).toBe(200)
  expect(received).toHaveLength(5)
  for (const request of first) expect(received).toContainEqual(expect.objectContaining(request))
})

test('sends the key that a handler sets itself', async () => {
  const handler: Handler = (context) => target.trigger({ to: 'ada' }, { ...context, idempotencyKey: 'own' })
  expect((await callHandler(options, { handler })).status).toBe(200)
  expect(received).toMatchObject([{ key: 'own' }])
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
