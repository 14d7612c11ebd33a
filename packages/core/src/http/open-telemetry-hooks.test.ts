import { BasicTracerProvider, InMemorySpanExporter, SimpleSpanProcessor } from '@opentelemetry/sdk-trace-base'
import { sign } from '@trestle/protocol'
import { expect, test, vi } from 'vitest'
import { agent } from '../agent/agent.ts'
import type { AgentDefinition } from '../agent/agent-definition.ts'
import { eventBody, mount, sendEvent, until } from '../turn/turn.fixture.ts'
import { workflow } from '../workflow/workflow.ts'
import { createBridge } from './create-bridge.ts'
import { openTelemetryHooks } from './open-telemetry-hooks.ts'

const logger = { warn: vi.fn(), error: vi.fn() }

function trace() {
  const exporter = new InMemorySpanExporter()
  const provider = new BasicTracerProvider({ spanProcessors: [new SimpleSpanProcessor(exporter)] })
  return { hooks: openTelemetryHooks(provider.getTracer('test')), spans: () => exporter.getFinishedSpans() }
}

async function throwIn(support: AgentDefinition) {
  const { hooks, spans } = trace()
  const { bridge } = mount([support], { apiUrl: 'http://127.0.0.1:9/api' }, { hooks, logger })
  await sendEvent(bridge, eventBody({ apiUrl: 'http://127.0.0.1:9/api' }))
  await until(() => spans().length === 2)
  return spans()
}

/** Runs a step that throws a value, and returns the spans. */
async function throwInStep(thrown: unknown) {
  const { hooks, spans } = trace()
  const failing = workflow('failing', async ({ step }) => {
    await step.custom('badly', () => {
      throw thrown
    })
  })
  const bridge = createBridge({ workflows: [failing], secretKey: 'sk', hooks, logger })
  const body = JSON.stringify({ payload: {}, controls: {}, state: [], subscriber: {} })
  const headers = { 'service-signature': await sign('sk', body) }
  const url = 'http://bridge.test/?action=execute&workflowId=failing&stepId=badly'
  await bridge.fetch(new Request(url, { method: 'POST', body, headers }))
  return spans()
}

test('creates a span for a failed agent turn, below the span of its call', async () => {
  const [call, turn] = await throwIn(
    agent('support', {
      onMessage: () => {
        throw new RangeError('no stock')
      },
    }),
  )
  expect([call?.name, turn?.name]).toEqual(['bridge agent-event', 'turn support'])
  expect(turn?.parentSpanContext?.spanId).toBe(call?.spanContext().spanId)
  expect(turn?.spanContext().traceId).toBe(call?.spanContext().traceId)
  expect(turn).toMatchObject({ attributes: { 'trestle.agent_id': 'support' }, status: { code: 2 } })
  expect(turn?.events.map(({ attributes }) => attributes)).toEqual([
    { 'exception.type': 'RangeError', 'exception.message': 'no stock' },
  ])
})

const unreadable = {
  get name(): never {
    throw new Error('no name')
  },
  get message(): never {
    throw new Error('no message')
  },
}
test.each<[string, unknown, object]>([
  ['an error, without its stack', new TypeError('down'), { type: 'TypeError', message: 'down' }],
  ['a text', 'down', { type: 'string', message: 'down' }],
  ['nothing', undefined, { type: 'undefined', message: 'undefined' }],
  [
    'an object without a prototype',
    Object.assign(Object.create(null), { code: 7 }),
    { type: 'object', message: 'An object without a message was thrown.' },
  ],
  ['a symbol', Symbol('x'), { type: 'symbol', message: 'Symbol(x)' }],
  ['an object nobody can read', unreadable, { type: 'object' }],
])('records a thrown value: %s', async (_what, thrown, expected) => {
  logger.error.mockClear()
  const call = (await throwInStep(thrown)).find(({ name }) => name === 'bridge execute')
  const attributes = Object.entries(call?.events[0]?.attributes ?? {})
  expect(Object.fromEntries(attributes.map(([name, value]) => [name.replace('exception.', ''), value]))).toMatchObject(
    expected,
  )
  expect(attributes.map(([name]) => name)).not.toContain('exception.stacktrace')
  expect(logger.error.mock.calls.map(([, message]) => message)).not.toContain('The hook onError failed.')
})

test('an unsigned call cannot set span names or long values', async () => {
  const { hooks, spans } = trace()
  const bridge = createBridge({ secretKey: 'sk', strictAuthentication: true, hooks, logger })
  for (const action of ['spam'.repeat(3000), 'constructor', 'discover', '']) {
    const ids = ['workflowId', 'stepId', 'agentId'].map((name) => [name, 'x'.repeat(9000)])
    await bridge.fetch(new Request(`http://bridge.test/?${new URLSearchParams([['action', action], ...ids])}`))
  }
  expect(spans().map(({ name }) => name)).toEqual(['bridge', 'bridge', 'bridge discover', 'bridge health-check'])
  const values = spans().flatMap(({ attributes }) => Object.values(attributes))
  expect(Math.max(...values.map((value) => String(value).length))).toBe(255)
})
