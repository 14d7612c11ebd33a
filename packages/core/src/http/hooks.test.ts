import { context, propagation, trace } from '@opentelemetry/api'
import { W3CTraceContextPropagator } from '@opentelemetry/core'
import { BasicTracerProvider, InMemorySpanExporter, SimpleSpanProcessor } from '@opentelemetry/sdk-trace-base'
import { sign } from '@trestle/protocol'
import { expect, test, vi } from 'vitest'
import type { CallInfo, Hooks } from '../bridge/hooks.ts'
import { askBridge } from '../call-bridge.fixture.ts'
import { workflow } from '../workflow/workflow.ts'
import { createBridge } from './create-bridge.ts'
import { openTelemetryHooks } from './open-telemetry-hooks.ts'

const secret = 'canary-secret-key-0123456789'
const canary = 'canary-payload-0123456789'
const said = workflow('said', async ({ step, payload }) => {
  await step.custom('well', () => ({ text: payload['text'] }))
})
const failing = workflow('failing', async ({ step }) => {
  await step.custom('badly', () => {
    throw new TypeError('the provider is down')
  })
})
const left = workflow('left', async ({ step }) => {
  await step.custom('out', () => ({}), { skip: () => true })
})

async function call(hooks: Hooks, [workflowId, stepId]: readonly [string, string], headers: object = {}) {
  const logger = { warn: vi.fn(), error: vi.fn() }
  const bridge = createBridge({ workflows: [said, failing, left], secretKey: secret, hooks, logger })
  const body = JSON.stringify({ payload: { text: canary }, controls: {}, state: [], subscriber: {} })
  const request = new Request(`http://bridge.test/?action=execute&workflowId=${workflowId}&stepId=${stepId}`, {
    method: 'POST',
    body,
    headers: { 'service-signature': await sign(secret, body), ...headers },
  })
  const response = await bridge.fetch(request)
  return { status: response.status, logger }
}

test('hooks receive one object per call, in order', async () => {
  const hookCalls: [string, unknown, CallInfo][] = []
  const hooks: Hooks = {
    onRequest: (info) => hookCalls.push(['onRequest', undefined, info]),
    onStep: (report, info) => hookCalls.push(['onStep', report, info]),
    onError: (error, _report, info) => hookCalls.push(['onError', error, info]),
    onReply: (report, info) => hookCalls.push(['onReply', report, info]),
  }
  await call(hooks, ['failing', 'badly'])
  expect(hookCalls.map(([name]) => name)).toEqual(['onRequest', 'onError', 'onStep', 'onReply'])
  expect(new Set(hookCalls.map(([, , info]) => info)).size).toBe(1)
  expect(hookCalls[2]?.[1]).toMatchObject({ workflowId: 'failing', stepId: 'badly', status: 'failed' })
  expect(hookCalls[2]?.[1]).toMatchObject({ code: 'StepExecutionFailedError' })
  expect(hookCalls[3]?.[1]).toMatchObject({ action: 'execute', status: 502, code: 'StepExecutionFailedError' })
  hookCalls.length = 0
  await call(hooks, ['left', 'out'])
  expect(hookCalls[1]?.[1]).toMatchObject({ status: 'skipped', code: undefined })
  hookCalls.length = 0
  await call(hooks, ['said', 'well'])
  expect(hookCalls[1]?.[1]).toMatchObject({ status: 'completed' })
})

test('a call in which no step ran is not reported as a step', async () => {
  const onStep = vi.fn()
  const broken = workflow('broken', async () => {
    throw new Error('before the first step')
  })
  const logger = { warn: vi.fn(), error: vi.fn() }
  const bridge = createBridge({ workflows: [broken], strictAuthentication: false, hooks: { onStep }, logger })
  const { status } = await askBridge(bridge, { workflow: 'broken', next: true } as never)
  expect(status).toBe(502)
  expect(onStep).not.toHaveBeenCalled()
})

test.each(['throw', 'reject'])('hooks that %s only write to the log', async (how) => {
  const fail = (): never => {
    throw new Error('the hook')
  }
  const hook = how === 'throw' ? fail : ((async () => fail()) as () => void)
  const hooks: Hooks = { onRequest: hook, onStep: hook, onError: hook, onReply: hook }
  const { status, logger } = await call(hooks, ['failing', 'badly'])
  expect(status).toBe(502)
  await new Promise((resolve) => setImmediate(resolve))
  const names = logger.error.mock.calls.map(([, message]) => String(message))
  for (const name of Object.keys(hooks)) expect(names).toContain(`The hook ${name} failed.`)
})

test("creates a span for each call and step, below the caller's span", async () => {
  const exporter = new InMemorySpanExporter()
  const provider = new BasicTracerProvider({ spanProcessors: [new SimpleSpanProcessor(exporter)] })
  propagation.setGlobalPropagator(new W3CTraceContextPropagator())
  const hooks = openTelemetryHooks(provider.getTracer('test'))
  const traceId = '0af7651916cd43dd8448eb211c80319c'
  const traceparent = `00-${traceId}-b7ad6b7169203331-01`
  await call(hooks, ['said', 'well'], { traceparent })
  await call(hooks, ['failing', 'badly'], { traceparent })
  const spans = exporter.getFinishedSpans()
  expect(spans.map(({ name }) => name)).toEqual(['step well', 'bridge execute', 'step badly', 'bridge execute'])
  for (const span of spans) expect(span.spanContext().traceId).toBe(traceId)
  const [step, bridge, failed, answered] = spans
  expect(step?.parentSpanContext?.spanId).toBe(bridge?.spanContext().spanId)
  expect(bridge?.parentSpanContext?.spanId).toBe('b7ad6b7169203331')
  expect(bridge?.attributes).toMatchObject({ 'trestle.workflow_id': 'said', 'http.response.status_code': 200 })
  expect(failed?.attributes).toMatchObject({ 'error.type': 'StepExecutionFailedError' })
  expect(answered?.events[0]?.attributes?.['exception.message']).toBe('the provider is down')
  const written = JSON.stringify(
    spans.map(({ name, attributes, events, status }) => ({ name, attributes, events, status })),
  )
  for (const word of [secret, canary, 'v1=']) expect(written).not.toContain(word)
  expect(trace.getSpan(context.active())).toBeUndefined()
})

test('creates a span for a call rejected for its signature', async () => {
  const exporter = new InMemorySpanExporter()
  const provider = new BasicTracerProvider({ spanProcessors: [new SimpleSpanProcessor(exporter)] })
  const hooks = openTelemetryHooks(provider.getTracer('test'))
  const { status } = await call(hooks, ['said', 'well'], { 'service-signature': 't=1,v1=00' })
  expect(status).toBe(401)
  const [span] = exporter.getFinishedSpans()
  expect(span?.attributes).toMatchObject({ 'http.response.status_code': 401, 'error.type': 'SignatureExpiredError' })
})
