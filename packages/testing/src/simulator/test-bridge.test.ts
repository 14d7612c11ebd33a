import { workflow } from '@trestle/core'
import { novu } from '@trestle/core/novu'
import { expect, test } from 'vitest'
import { z } from 'zod'
import { signedRequest } from '../bridge/signed-request.ts'
import { failure } from '../context/step-stub.ts'
import { testBridge } from './test-bridge.ts'

const order = workflow(
  'order',
  async ({ step, subscriber, env, context, actor }) => {
    const seen = await step.custom('look', () => ({ subscriber, env, context, actor: actor ?? null }))
    await step.email('mail', ({ subject }) => ({ subject, body: `<p>${Object.keys(seen).length > 0}</p>` }), {
      controlSchema: z.object({ subject: z.string().default('Order {{ payload.id }}') }),
      providers: { sendgrid: ({ outputs }) => ({ ipPoolName: outputs.subject }) },
    })
  },
  { payloadSchema: z.object({ id: z.string() }) },
)
const fails = workflow('fails', async ({ step }) => {
  await step.custom('boom', () => {
    throw new Error('from the handler')
  })
  await step.sms('after', () => ({ body: 'still sent' }))
})
const broken = workflow('broken', async () => {
  throw new Error('never right')
})
const quiet = { warn: () => undefined, error: () => undefined }
const bridge = testBridge({ workflows: [order, fails], logger: quiet })

test('a run returns outputs, providers, state and timings of every step', async () => {
  const run = await bridge.run(order, { payload: { id: '7' }, now: '2026-01-01T00:00:00Z' })
  expect(run).toMatchObject({ workflowId: 'order', transactionId: 'transaction-1', status: 'completed', errors: [] })
  expect(run.steps['mail']).toEqual({
    stepId: 'mail',
    type: 'email',
    status: 'completed',
    called: true,
    outputs: { subject: 'Order 7', body: '<p>true</p>' },
    providers: { sendgrid: { ipPoolName: 'Order 7' } },
    result: {},
    startedAt: '2026-01-01T00:00:00.000Z',
    endsAt: '2026-01-01T00:00:00.000Z',
    waitMs: 0,
    durationMs: expect.any(Number),
  })
  expect(run.sent.map(({ stepId }) => stepId)).toEqual(['mail'])
  expect(run.state.map(({ stepId, state }) => [stepId, state.status])).toEqual([
    ['mail', 'completed'],
    ['look', 'completed'],
  ])
})

test('subscriber, env, context and actor reach the code, with the service’s defaults', async () => {
  const own = {
    subscriber: { subscriberId: 's', firstName: 'Ada' },
    env: { region: 'eu' },
    context: { tenant: { id: 't', data: {} } },
    actor: { subscriberId: 'a' },
  }
  const given = await bridge.run(order, { payload: { id: '7' }, ...own })
  expect(given.steps['look']?.outputs).toEqual({ ...own, env: { name: 'Development', type: 'dev', region: 'eu' } })
  const bare = await bridge.run(order, { payload: { id: '7' }, subscriber: 'by-id' })
  expect(bare.steps['look']?.outputs).toEqual({
    subscriber: { subscriberId: 'by-id' },
    env: { name: 'Development', type: 'dev' },
    context: {},
    actor: null,
  })
  const byId = await bridge.run(order, { payload: { id: '7' }, actor: 'eve' })
  expect(byId.steps['look']?.outputs).toMatchObject({ actor: { subscriberId: 'eve' } })
})

test('controls by step id are rendered', async () => {
  const controls = { mail: { subject: '{{ payload.id }} for {{ subscriber.subscriberId }}' } }
  const run = await bridge.run('order', { payload: { id: '7' }, controls })
  expect(run.steps['mail']?.outputs['subject']).toBe('7 for subscriber-1')
  await expect(bridge.run(order, { payload: { id: '7' }, controls: { male: {} } })).rejects.toThrow(/controls.*"male"/)
})

test('payloads are typed by the workflow', async () => {
  const number = 7 as unknown as string
  const run = await bridge.run(order, { payload: { id: number } })
  expect(run.errors.map(({ code, status }) => [code, status])[0]).toEqual(['WorkflowPayloadInvalidError', 400])
  // @ts-expect-error The payload is needed.
  await bridge.run(order)
  // @ts-expect-error It has no such field.
  await bridge.run(order, { payload: { id: '7', idd: '7' } })
  await bridge.run(fails)
})

test('a failing handler causes the specified failure, and the run continues', async () => {
  const run = await bridge.run(fails)
  expect(run.status).toBe('failed')
  expect(run.errors).toEqual([
    {
      stepId: 'boom',
      code: 'StepExecutionFailedError',
      status: 502,
      message: 'Workflow "fails": the handler of step "boom" failed: from the handler',
      data: { stepId: 'boom', type: 'custom', stack: expect.stringContaining('from the handler') },
    },
  ])
  expect(run.steps['boom']).toMatchObject({ status: 'failed', error: { status: 502 } })
  expect(run.state[1]).toMatchObject({
    stepId: 'boom',
    state: { status: 'failed', error: { code: 'StepExecutionFailedError' } },
  })
  expect(run.steps['after']?.status).toBe('completed')
})

test('single calls', async () => {
  const executed = await bridge.execute(fails, 'after', {
    state: [{ stepId: 'boom', outputs: {}, state: { status: 'completed' } }],
  })
  expect(executed.outputs).toEqual({ body: 'still sent' })
  const preview = await bridge.preview(order, 'mail', {
    payload: { id: '9' },
    controls: { subject: 'No {{ payload.id }}' },
  })
  expect(preview.outputs['subject']).toBe('No 9')
  const { workflows } = await bridge.discover()
  expect(workflows.map(({ workflowId }) => workflowId)).toEqual(['order', 'fails'])
})

test.each([
  ['a handler that fails', () => bridge.execute(fails, 'boom'), 'StepExecutionFailedError', 502],
  ['an unknown step', () => bridge.execute(fails, 'none'), 'StepNotFoundError', 404],
  ['a step without the one before it', () => bridge.execute(fails, 'after'), 'ExecutionStateCorruptError', 400],
  ['an unknown workflow', () => bridge.preview('none', 'mail'), 'WorkflowNotFoundError', 404],
  ['a run of it', () => bridge.run('none'), 'WorkflowNotFoundError', 404],
])('a single call fails like the bridge: %s', async (_what, call, code, status) => {
  await expect(call()).rejects.toMatchObject({ name: code, code, status })
})

test('a workflow that cannot be discovered does not affect others', async () => {
  const both = testBridge({ workflows: [broken, fails], logger: quiet })
  await expect(both.run(broken)).rejects.toMatchObject({ code: 'WorkflowDiscoveryFailedError', status: 500 })
  await expect(both.discover()).rejects.toMatchObject({ code: 'WorkflowDiscoveryFailedError' })
  expect((await both.run(fails)).steps['after']?.status).toBe('completed')
})

test('every call is signed, and unsigned calls are rejected', async () => {
  const own = testBridge({ workflows: [fails], secretKey: 'mine', signatureHeader: 'x-signed', logger: quiet })
  expect((await own.run(fails)).sent).toHaveLength(1)
  const call = { action: 'execute', workflowId: 'fails', stepId: 'boom' } as const
  const { url, ...request } = await signedRequest(call, { secretKey: 'mine', signatureHeader: 'X-Signed' })
  expect((await own.bridge.fetch(new Request(url, request))).status).toBe(502)
  const { url: wrong, ...forged } = await signedRequest(call, { secretKey: 'other', signatureHeader: 'x-signed' })
  expect((await own.bridge.fetch(new Request(wrong, forged))).status).toBe(401)
  expect((await own.bridge.fetch(new Request(url, { method: 'POST', body: '{}' }))).status).toBe(401)
})

test('a bridge with a preset simulates a service with listed steps, unless a run overrides it', async () => {
  const own = testBridge({ workflows: [fails], service: novu, logger: quiet })
  expect((await own.run(fails)).service).toBe('listed')
  expect((await own.run(fails, { service: 'run-driven' })).service).toBe('run-driven')
  expect((await bridge.run(fails)).service).toBe('run-driven')
})

test('concurrent runs are independent', async () => {
  const ids = Array.from({ length: 20 }, (_, index) => String(index))
  const runs = await Promise.all(
    ids.map((id) =>
      bridge.run(order, {
        payload: { id },
        now: Number(id) * 1000,
        doubles: id === '3' ? { look: failure('third') } : {},
      }),
    ),
  )
  expect(runs.map((run) => run.steps['mail']?.outputs['subject'])).toEqual(ids.map((id) => `Order ${id}`))
  expect(runs.map((run) => run.startedAt)).toEqual(ids.map((id) => new Date(Number(id) * 1000).toISOString()))
  expect(runs.map(({ status }) => status)).toEqual(ids.map((id) => (id === '3' ? 'failed' : 'completed')))
})

test('unknown fields of an output make a step fail, even with the preset of a service', async () => {
  const extra = workflow(
    'extra',
    async ({ step }) => void (await step.sms('s', () => ({ body: 'b', to: '+1' }) as never)),
  )
  const run = await testBridge({ workflows: [extra], service: novu, logger: quiet }).run(extra)
  expect(run.errors).toMatchObject([{ code: 'ExecutionStateOutputInvalidError' }])
})
