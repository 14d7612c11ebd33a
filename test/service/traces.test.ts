import { once } from 'node:events'
import { createServer, type IncomingMessage } from 'node:http'
import type { AddressInfo } from 'node:net'
import { SpanKind } from '@opentelemetry/api'
import {
  BasicTracerProvider,
  InMemorySpanExporter,
  type ReadableSpan,
  SimpleSpanProcessor,
} from '@opentelemetry/sdk-trace-base'
import { NodeTracerProvider } from '@opentelemetry/sdk-trace-node'
import { createBridge, toNodeHandler, workflow } from '@trestle/core'
import { openTelemetryHooks } from '@trestle/core/opentelemetry'
import { type Service, type ServiceOptions, startService } from '@trestle/service'
import { beforeEach, expect, onTestFinished, test, vi } from 'vitest'
import { createDatabase } from '../../packages/service/src/store/stores.fixture.ts'

const secretKey = 'sk_of_the_traced_environment'
const phone = '+49151000001'
const app = { traceId: '0af7651916cd43dd8448eb211c80319c', spanId: 'b7ad6b7169203331' }
const traceparent = `00-${app.traceId}-${app.spanId}-01`

const exporter = new InMemorySpanExporter()
new NodeTracerProvider({ spanProcessors: [new SimpleSpanProcessor(exporter)] }).register()
// The bridge has its own provider, as it has in another process.
const bridgeExporter = new InMemorySpanExporter()
const bridgeProvider = new BasicTracerProvider({ spanProcessors: [new SimpleSpanProcessor(bridgeExporter)] })

beforeEach(() => {
  exporter.reset()
  bridgeExporter.reset()
})

const order = workflow('order', async ({ step }) => {
  await step.delay('wait', () => ({ amount: 1, unit: 'seconds' }))
  await step.sms('text', () => ({ body: 'On its way' }))
})
const news = workflow('news', async ({ step }) => {
  await step.inApp('in', () => ({ body: 'News' }))
})

interface Receiver {
  readonly url: string
  readonly requests: readonly IncomingMessage[]
}

async function receive(answer: string): Promise<Receiver> {
  const requests: IncomingMessage[] = []
  const server = createServer((request, response) => {
    requests.push(request)
    request.resume().on('end', () => response.end(answer))
  }).listen(0, '127.0.0.1')
  onTestFinished(() => void server.close())
  await once(server, 'listening')
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, requests }
}

async function startBridge(): Promise<Receiver> {
  const hooks = openTelemetryHooks(bridgeProvider.getTracer('bridge'))
  const handler = toNodeHandler(createBridge({ secretKey, workflows: [order, news], hooks }))
  const requests: IncomingMessage[] = []
  const server = createServer((request, response) => {
    requests.push(request)
    return handler(request, response)
  }).listen(0, '127.0.0.1')
  onTestFinished(() => void server.close())
  await once(server, 'listening')
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, requests }
}

async function call(service: Service, line: string, body: object, headers = {}): Promise<unknown> {
  const [method = '', path = ''] = line.split(' ')
  const response = await fetch(service.url + path, {
    method,
    headers: { authorization: `ApiKey ${secretKey}`, 'content-type': 'application/json', ...headers },
    body: JSON.stringify(body),
  })
  const text = await response.text()
  if (!response.ok) throw new Error(`${line}: ${response.status} ${text}`)
  return JSON.parse(text)
}

/** Starts a service that only accepts requests, and another on the same database that only works. */
async function startServices(context: Parameters<typeof createDatabase>[1]): Promise<readonly [Service, Service]> {
  const { address } = await createDatabase('postgres', context)
  const options: ServiceOptions = {
    ...address,
    port: 0,
    logLevel: 'silent',
    stopGraceMs: 500,
    secretKeys: { Development: secretKey },
    encryptionKey: Buffer.alloc(32, 3).toString('base64'),
  }
  const accepting = await startService({ ...options, work: false })
  const working = await startService(options)
  onTestFinished(async () => {
    await Promise.all([accepting.stop(), working.stop()])
  })
  return [accepting, working]
}

const allSpans = (): readonly ReadableSpan[] => [...exporter.getFinishedSpans(), ...bridgeExporter.getFinishedSpans()]
const find = (name: string): readonly ReadableSpan[] => allSpans().filter((span) => span.name === name)

/** The names from the root of a span's trace to the span. */
function pathOf({ name, parentSpanContext }: ReadableSpan): readonly string[] {
  if (!parentSpanContext) return [name]
  if (parentSpanContext.spanId === app.spanId) return ['app', name]
  const parent = allSpans().find((span) => span.spanContext().spanId === parentSpanContext.spanId)
  return parent ? [...pathOf(parent), name] : ['(missing)', name]
}

test('one trace connects the app, the trigger, the steps after a delay, the bridge, the provider and the webhook', {
  timeout: 60_000,
}, async (context) => {
  const [bridge, provider, webhook] = [await startBridge(), await receive('{"id":"1"}'), await receive('ok')]
  const [accepting] = await startServices(context)
  await call(accepting, 'POST /v1/integrations', {
    ...{ providerId: 'generic-sms', channel: 'sms', name: 'SMS', active: true, check: false },
    credentials: { baseUrl: provider.url, from: 'me' },
  })
  await call(accepting, 'POST /v1/webhook-endpoints', { url: webhook.url, eventTypes: ['run.completed'] })
  await call(accepting, 'POST /v1/bridge/sync', { bridgeUrl: bridge.url })
  exporter.reset()
  bridgeExporter.reset()
  const synced = bridge.requests.length
  const to = { subscriberId: 'ada@example.com', phone }
  const headers = { traceparent, tracestate: 'vendor=1' }
  await call(accepting, 'POST /v1/events/trigger', { name: 'order', to, payload: { secret: 'p4yload' } }, headers)
  const run = ['app', 'POST /v1/events/trigger', 'trigger order', 'start order', 'run order']
  const expected = [
    [...run, 'next order', 'bridge execute', 'bridge execute', 'step text'],
    [...run, 'step order/text', 'send generic-sms'],
    [...run, 'deliver run.completed', 'webhook'],
  ].map((path) => path.join(' > '))
  // A parent ends after its children.
  const paths = () => allSpans().map((span) => pathOf(span).join(' > '))
  await vi.waitFor(() => expect(paths()).toEqual(expect.arrayContaining(expected)), { timeout: 30_000, interval: 200 })
  const spans = allSpans()
  expect([...new Set(spans.map((span) => span.spanContext().traceId))]).toEqual([app.traceId])

  const clients = spans.filter(({ kind }) => kind === SpanKind.CLIENT).map(({ name }) => name)
  expect(new Set(clients)).toEqual(new Set(['bridge execute', 'send generic-sms', 'webhook']))
  const [step] = find('step order/text')
  expect(step?.links.map((link) => link.context.spanId)).toEqual([step?.parentSpanContext?.spanId])
  expect(find('bridge execute').some(({ kind }) => kind === SpanKind.SERVER)).toBe(true)

  const called = bridge.requests.slice(synced)
  for (const request of called) expect(request.headers['traceparent']).toMatch(`00-${app.traceId}-`)
  for (const request of called) expect(request.headers['tracestate']).toBe('vendor=1')
  for (const request of [...provider.requests, ...webhook.requests])
    expect(request.headers).not.toHaveProperty('traceparent')

  const texts = JSON.stringify(spans.map(({ name, attributes, events, status }) => [name, attributes, events, status]))
  for (const secret of [phone, 'ada@example.com', 'p4yload', secretKey, provider.url, webhook.url])
    expect(texts).not.toContain(secret)
})

test('each run of a broadcast has its own trace, with a link to the broadcast', {
  timeout: 60_000,
}, async (context) => {
  const bridge = await startBridge()
  const [accepting] = await startServices(context)
  for (const subscriberId of ['ada', 'bob']) await call(accepting, 'POST /v1/subscribers', { subscriberId })
  await call(accepting, 'POST /v1/bridge/sync', { bridgeUrl: bridge.url })
  exporter.reset()
  await call(accepting, 'POST /v1/events/trigger/broadcast', { name: 'news', payload: {} }, { traceparent })
  const roots = () => find('step in').map((step) => pathOf(step)[0])
  await vi.waitFor(() => expect(roots()).toEqual(['run news', 'run news']), { timeout: 30_000, interval: 200 })
  const [start] = find('start news')
  expect(start?.spanContext().traceId).toBe(app.traceId)
  const runs = find('run news')
  expect(runs.map(({ links }) => links.map((link) => link.context.spanId))).toEqual([
    [start?.spanContext().spanId],
    [start?.spanContext().spanId],
  ])
  const traces = new Set([app.traceId, ...runs.map((run) => run.spanContext().traceId)])
  expect(traces.size).toBe(3)
})

test('only requests with a secret key continue the trace of their caller', { timeout: 60_000 }, async (context) => {
  const [accepting] = await startServices(context)
  exporter.reset()
  await fetch(`${accepting.url}/v1/topics`, { headers: { traceparent } })
  await fetch(`${accepting.url}/v1/topics`, { headers: { traceparent, authorization: `ApiKey ${secretKey}` } })
  await fetch(`${accepting.url}/health`, { headers: { traceparent } })
  const [stranger, caller] = find('GET /v1/topics')
  expect(stranger).toMatchObject({ attributes: { 'http.response.status_code': 401 }, parentSpanContext: undefined })
  expect(caller).toMatchObject({ attributes: { 'http.response.status_code': 200 } })
  expect(caller?.parentSpanContext).toMatchObject(app)
  expect(allSpans()).toHaveLength(2)
})
