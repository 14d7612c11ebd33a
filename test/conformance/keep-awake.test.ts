import { once } from 'node:events'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { BridgeOptions } from '@trestle/core'
import { agent } from '@trestle/core/agents'
import { serve as serveH3 } from '@trestle/h3'
import { serve as serveHono } from '@trestle/hono'
import { serve as serveLambda } from '@trestle/lambda'
import { sign } from '@trestle/protocol'
import { H3 } from 'h3'
import * as h3of1 from 'h3-1'
import { Hono } from 'hono'
import { createRequestHandler, type ServerBuild } from 'react-router'
import { afterAll, afterEach, beforeAll, beforeEach, expect, test, vi } from 'vitest'
import { buildNext, nextMounts, stopNext } from './mounts/next.ts'
import { closeServer } from './mounts/node.ts'
import { buildReactRouter } from './mounts/react-router.ts'
import { buildSvelteKit } from './mounts/sveltekit.ts'

// Platform data passed with each request: variables, and `waitUntil`. The frameworks are real.

const secretKey = 'key-of-the-call'
const replies: { authorization: string | undefined; text: string }[] = []
let api: Server
let apiUrl: string

beforeAll(async () => {
  for (const build of [buildNext, buildReactRouter, buildSvelteKit]) await build()
}, 300_000)
beforeAll(async () => {
  api = createServer(async (request, response) => {
    let text = ''
    for await (const chunk of request) text += String(chunk)
    replies.push({ authorization: request.headers.authorization, text: JSON.parse(text).reply.text })
    response.writeHead(201, { 'content-type': 'application/json' }).end('{"data":{"messageId":"m1"}}')
  }).listen(0, '127.0.0.1')
  await once(api, 'listening')
  apiUrl = `http://127.0.0.1:${(api.address() as AddressInfo).port}/api`
})
beforeEach(() => {
  replies.length = 0
  warnings.length = 0
  works.length = 0
  vi.stubEnv('NODE_ENV', 'production')
  vi.stubEnv('SERVICE_SECRET_KEY', 'key-of-the-process')
  vi.stubEnv('SERVICE_API_URL', apiUrl)
  // Simulates a platform that stops the process: the bridge warns if nothing keeps it active.
  vi.stubEnv('VERCEL', '1')
})
afterEach(() => vi.unstubAllEnvs())
afterAll(async () => {
  await stopNext()
  await closeServer(api)
})

const support = agent('support', {
  onMessage: async ({ reply }) => {
    await new Promise((resolve) => setTimeout(resolve, 60))
    await reply('done')
  },
})
const warnings: string[] = []
const works: Promise<unknown>[] = []
const lifetime = {
  waitUntil(this: unknown, work: Promise<unknown>): void {
    if (this !== lifetime) throw new TypeError('Illegal invocation')
    works.push(work)
  },
}
const keep = (_details: unknown, text: string): number => warnings.push(text)
const logger = { warn: keep, error: keep }
const options: BridgeOptions = { agents: [support], logger }
const bindings = (): Record<string, unknown> => ({
  SERVICE_SECRET_KEY: secretKey,
  SERVICE_API_URL: apiUrl,
  SOME_STORE: { get: () => undefined },
})

let deliveries = 0

async function toRequest(url = 'http://bridge.test/api/bridge', key = secretKey): Promise<Request> {
  const body = JSON.stringify({
    deliveryId: `${process.pid}-${++deliveries}`,
    replyUrl: `${apiUrl}/v1/reply`,
    conversationId: `c${deliveries}`,
    integrationIdentifier: 'web',
    message: { text: 'hello' },
  })
  return new Request(`${url}?action=agent-event&agentId=support&event=onMessage`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'service-signature': await sign(key, body) },
    body,
  })
}

const builtSvelteKit = new URL('./sveltekit-app/.svelte-kit/output/server/', import.meta.url)
const builtReactRouter = new URL('./react-router-app/build/server/index.js', import.meta.url).href
const mountOptions = new Map<string, unknown>([['kept', options]])

/** SvelteKit's own server, as its adapters for Cloudflare and Netlify call it. */
async function askSvelteKit(platform: object): Promise<Response> {
  Object.assign(globalThis, { [Symbol.for('trestle.conformance')]: mountOptions })
  const { Server } = await import(new URL('index.js', builtSvelteKit).href)
  const { manifest } = await import(new URL('manifest.js', builtSvelteKit).href)
  const server = new Server(manifest)
  await server.init({ env: {} })
  return server.respond(await toRequest('http://bridge.test/api/kept'), { platform, getClientAddress: () => '' })
}

/** React Router's own handler, as the template for Cloudflare calls it. */
async function askReactRouter(): Promise<Response> {
  Object.assign(globalThis, { [Symbol.for('trestle.conformance')]: mountOptions })
  const handle = createRequestHandler((await import(builtReactRouter)) as ServerBuild, 'production')
  const context = { cloudflare: { env: bindings(), ctx: lifetime } }
  return handle(await toRequest('http://bridge.test/api/kept'), context as never)
}

async function askHono(): Promise<Response> {
  const app = new Hono().all('/api/bridge', serveHono(options))
  return app.fetch(await toRequest(), bindings(), { ...lifetimeOf(lifetime), props: {} } as never)
}

/** An execution context whose method needs its `this`, as in Workers. */
function lifetimeOf(owner: typeof lifetime): object {
  return { waitUntil: (work: Promise<unknown>) => owner.waitUntil(work), passThroughOnException: () => undefined }
}

async function askH3(): Promise<Response> {
  const request = Object.assign(await toRequest(), {
    runtime: { name: 'cloudflare', cloudflare: { env: bindings(), context: lifetime } },
    waitUntil: (work: Promise<unknown>) => lifetime.waitUntil(work),
  }) as never
  return new H3().all('/api/bridge', serveH3(options)).fetch(request)
}

async function askH3of1(): Promise<Response> {
  const app = h3of1.createApp({
    // What Nitro 2 does with each event.
    onRequest(event) {
      Object.assign(event, { waitUntil: (work: Promise<unknown>) => lifetime.waitUntil(work) })
    },
  })
  app.use(h3of1.createRouter().use('/api/bridge', serveH3(options) as unknown as h3of1.EventHandler))
  return h3of1.toWebHandler(app)(await toRequest(), { cloudflare: { env: bindings() } })
}

test.each([
  ['Hono', askHono],
  ['h3 2', askH3],
  ['h3 1', askH3of1],
  ['SvelteKit on Cloudflare', () => askSvelteKit({ env: bindings(), ctx: lifetime })],
  ['SvelteKit on Cloudflare, as its adapter was', () => askSvelteKit({ env: bindings(), context: lifetime })],
  ['React Router', askReactRouter],
])('%s: passes variables and waitUntil with the call', async (_name, ask) => {
  const response = await ask()
  expect([response.status, await response.json()]).toEqual([200, { status: 'ack' }])
  expect([works.length, replies]).toEqual([1, []])
  await works[0]
  expect(replies).toEqual([{ authorization: `ApiKey ${secretKey}`, text: 'done' }])
  expect(warnings).toEqual([])
})

test.each<[string, (request: Request) => Promise<Response>]>([
  ['Hono', async (request) => new Hono().all('/api/bridge', serveHono(options)).fetch(request)],
  ['h3', async (request) => new H3().all('/api/bridge', serveH3(options)).fetch(request)],
])('%s: uses the variables of the process without such a platform, and warns', async (_name, ask) => {
  expect((await ask(await toRequest())).status).toBe(401)
  const response = await ask(await toRequest('http://bridge.test/api/bridge', 'key-of-the-process'))
  expect(response.status).toBe(200)
  await expect.poll(() => replies.length, { timeout: 30_000 }).toBe(1)
  expect(warnings).toEqual([expect.stringMatching(/^Vercel may stop this process/)])
})

test('the option waitUntil has priority over that of the platform', async () => {
  const own: Promise<unknown>[] = []
  const app = new Hono().all('/api/bridge', serveHono({ ...options, waitUntil: (work) => own.push(work) }))
  expect((await app.fetch(await toRequest(), bindings(), lifetimeOf(lifetime) as never)).status).toBe(200)
  expect([own.length, works.length]).toEqual([1, 0])
  await own[0]
})

test('Lambda acknowledges an event when the agent has finished, and responds to other calls immediately', async () => {
  vi.stubEnv('AWS_LAMBDA_FUNCTION_NAME', 'bridge')
  const handler = serveLambda({ ...options, secretKey, apiUrl })
  const request = await toRequest()
  const url = new URL(request.url)
  const event = {
    rawPath: url.pathname,
    rawQueryString: url.search.slice(1),
    headers: Object.fromEntries(request.headers),
    body: await request.text(),
    requestContext: { http: { method: 'POST' } },
  }
  const [answer, again] = await Promise.all([handler(event), handler(event)])
  expect([answer.statusCode, again.statusCode]).toEqual([200, 200])
  expect(replies.map(({ text }) => text)).toEqual(['done'])
  expect(warnings).toEqual([])
})

test.each([
  ['app', []],
  ['api/pages', [expect.stringMatching(/^Vercel may stop this process/)]],
])('Next, %s: continues the turn after the response', { timeout: 60_000 }, async (router, said) => {
  const mount = nextMounts.find(({ name }) => name === (router === 'app' ? 'Next, App Router' : 'Next, Pages Router'))
  const mounted = await mount?.mount({ ...options, secretKey, apiUrl })
  const response = await fetch(await toRequest(mounted?.url))
  expect([response.status, await response.json()]).toEqual([200, { status: 'ack' }])
  await expect.poll(() => replies.length, { timeout: 30_000 }).toBe(1)
  expect(warnings).toEqual(said)
})

test.each(['@next/request-context', '@vercel/request-context'])('Next, Pages Router: %s', async (name) => {
  const mount = nextMounts.find(({ name }) => name === 'Next, Pages Router')
  const mounted = await mount?.mount({ ...options, secretKey, apiUrl })
  Object.assign(globalThis, { [Symbol.for(name)]: { get: () => lifetime } })
  try {
    expect((await fetch(await toRequest(mounted?.url))).status).toBe(200)
    await Promise.all(works)
    expect([works.length > 0, replies.length, warnings]).toEqual([true, 1, []])
  } finally {
    Reflect.deleteProperty(globalThis, Symbol.for(name))
  }
})
