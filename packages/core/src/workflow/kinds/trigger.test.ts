import { describe, expect, expectTypeOf, test } from 'vitest'
import { z } from 'zod'
import { type Answer, ask, askBridge, silent } from '../../call-bridge.fixture.ts'
import { createBridge } from '../../http/create-bridge.ts'
import { novu } from '../../novu.ts'
import type { Step } from '../steps/step-kinds.ts'
import { workflow } from '../workflow.ts'
import type { ChildRun } from './trigger.ts'

const invoice = workflow('invoice', () => undefined, {
  payloadSchema: z.object({ orderId: z.string().min(2), kind: z.enum(['paid', 'open']), note: z.string().optional() }),
})
const plain = workflow('plain', () => undefined)
const optional = workflow('optional', () => undefined, { payloadSchema: z.object({ note: z.string().optional() }) })
const request = { workflow: invoice, to: 'ada', payload: { orderId: 'o-1', kind: 'paid' } } as const

function play(run: (step: Step) => Promise<unknown>, state: object = {}, action = 'execute'): Promise<Answer> {
  const flow = workflow('flow', ({ step }) => run(step))
  const bridge = createBridge({ workflows: [flow], strictAuthentication: false, logger: silent })
  const event = action === 'execute' ? { next: true, taken: [], state } : { action, step: 'child', state }
  return askBridge(bridge, { workflow: 'flow', ...event } as never)
}

describe('the handler', () => {
  test('returns the id of the workflow, the recipient and the payload', async () => {
    const { body } = await play((step) => step.trigger('child', () => request))
    expect(body).toMatchObject({ step: { stepId: 'child', type: 'trigger' } })
    expect(body.outputs).toEqual({ workflow: 'invoice', to: 'ada', payload: { orderId: 'o-1', kind: 'paid' } })
  })

  test('can name the workflow of another app, and the step can wait', async () => {
    const to = ['ada', { subscriberId: 'bob', email: 'bob@example.com' }, { type: 'Topic', topicKey: 'team' }] as const
    const { body } = await play((step) =>
      step.trigger('child', () => ({ workflow: 'other', to, payload: { any: 1 } }), { await: true }),
    )
    expect(body.outputs).toEqual({ workflow: 'other', to, payload: { any: 1 }, await: true })
  })

  test.each<[string, object, string, string]>([
    ['no workflow', { to: 'ada' }, '', 'workflow'],
    ['no recipient', { workflow: 'w' }, '', 'to'],
    ['an empty recipient', { workflow: 'w', to: '' }, '/to', 'character'],
    ['no recipients', { workflow: 'w', to: [] }, '/to', 'item'],
    ['too many recipients', { workflow: 'w', to: Array.from({ length: 101 }, () => 'a') }, '/to', '100'],
    ['an unknown field', { workflow: 'w', to: 'ada', transactionId: 't' }, '/transactionId', 'unknown'],
    ['a payload that does not match', { ...request, payload: { orderId: 'o', kind: 'paid' } }, '/payload/orderId', '2'],
    ['a payload that is a list', { workflow: invoice, to: 'ada', payload: [] }, '/payload', 'object'],
  ])('fails with %s', async (_what, output, path, message) => {
    const { status, body } = await play((step) => step.trigger('child', () => output as never))
    expect([status, body.code]).toEqual([400, 'ExecutionStateOutputInvalidError'])
    const texts = body.data.issues.map((issue: { path: string; message: string }) => `${issue.path} ${issue.message}`)
    expect(texts.join()).toContain(message)
    expect(texts.join()).toContain(path)
  })

  test('is previewed with sample data that need not match the schema of the payload', async () => {
    const { status, body } = await play(
      (step) => step.trigger('child', () => ({ ...request, payload: { orderId: 'o', kind: 'paid' } })),
      {},
      'preview',
    )
    expect([status, body.outputs?.payload]).toEqual([200, { orderId: 'o', kind: 'paid' }])
  })
})

describe('the result', () => {
  const results = async (stored: unknown, options: object = {}): Promise<unknown> => {
    let seen: unknown
    const answer = await play(
      async (step) => {
        seen = await step.trigger('child', () => request, options)
      },
      { child: stored },
    )
    return answer.body.done ? { ...(seen as object) } : answer.body.code
  }
  const runs = [{ runId: 'r', subscriberId: 'ada', status: 'failed' }]

  test('is the transaction, or with await the end of its runs', async () => {
    const triggered = { status: 'triggered', transactionId: 't' }
    expect(await results(triggered)).toMatchObject(triggered)
    expect(await results(triggered, { await: true })).toBe('ExecutionStateResultInvalidError')
    const ended = { status: 'failed', transactionId: 't', runs }
    expect(await results(ended, { await: true })).toMatchObject(ended)
    expect(await results(ended)).toBe('ExecutionStateResultInvalidError')
    expect(await results('skipped', { await: true })).toMatchObject({
      status: 'skipped',
      transactionId: null,
      runs: [],
    })
  })

  test('is published by option, and code after it is discovered for each status', async () => {
    const flow = workflow('flow', async ({ step }) => {
      const { status } = await step.trigger('child', () => request, { await: true })
      if (status === 'failed') await step.sms('failed', () => ({ body: 'b' }))
      if (status === 'canceled') await step.sms('canceled', () => ({ body: 'b' }))
      await step.trigger('other', () => ({ workflow: plain, to: 'ada' }))
    })
    const { body } = await ask(flow, { action: 'discover' })
    const [{ steps }] = body.workflows
    expect(steps.map(({ stepId }: { stepId: string }) => stepId)).toEqual(['child', 'failed', 'canceled', 'other'])
    expect(steps[0].results.schema.required).toContain('runs')
    expect(steps[3].results.schema.required).not.toContain('runs')
  })

  test('is narrowed by status, and the payload has the type of the workflow', () => {
    const payload = (): string[] => ['ada']
    const typed = async (step: Step): Promise<void> => {
      const started = await step.trigger('a', () => ({ workflow: plain, to: 'ada' }))
      if (started.status === 'triggered') expectTypeOf(started.transactionId).toEqualTypeOf<string>()
      else expectTypeOf(started.transactionId).toEqualTypeOf<null>()
      // @ts-expect-error the step does not wait
      void started.runs
      const ended = await step.trigger('b', () => request, { await: true })
      expectTypeOf(ended.status).toEqualTypeOf<'skipped' | 'completed' | 'failed' | 'canceled'>()
      if (ended.status === 'failed') expectTypeOf(ended.runs).toEqualTypeOf<readonly ChildRun[]>()
      const outcome = await step.trigger('c', () => request, { await: true, onFailure: 'return' })
      if (outcome.status === 'completed') expectTypeOf(outcome.result.status).toEqualTypeOf(ended.status)
      await step.trigger('d', async () => ({ workflow: invoice, to: ['ada'], payload: { orderId: 'o', kind: 'open' } }))
      await step.trigger('e', () => ({ workflow: optional, to: { subscriberId: 'ada' } }))
      await step.trigger('f', () => ({ workflow: 'other', to: 'ada', payload: { any: 1 } }))
      // @ts-expect-error without a payload
      await step.trigger('g', () => ({ workflow: invoice, to: 'ada' }))
      // @ts-expect-error an unknown value
      await step.trigger('h', () => ({ workflow: invoice, to: 'ada', payload: { orderId: 'o', kind: 'lost' } }))
      // @ts-expect-error without a recipient
      await step.trigger('i', () => ({ workflow: plain }))
      const lists = workflow('lists', () => undefined, { payloadSchema: z.object({ ids: z.array(z.string()) }) })
      await step.trigger('k', () => ({ workflow: lists, to: payload(), payload: { ids: ['a'] } }))
      await step.trigger('l', () => ({ workflow: lists, to: 'ada', payload: { ids: payload() } }))
      // @ts-expect-error an unknown field of the payload
      await step.trigger('n', () => ({ workflow: optional, to: 'ada', payload: { nope: 1 } }))
      // @ts-expect-error not a workflow
      await step.trigger('j', () => ({ workflow: 7, to: 'ada' }))
    }
    expect(typed).toBeTypeOf('function')
  })
})

test('other kinds of steps reject the option await', async () => {
  const { body } = await play((step) => step.custom('a', () => ({}), { await: true } as never))
  expect(body.message).toContain('the option await is not allowed')
})

test('a workflow that triggers another cannot be synced with a service that supports only listed steps', async () => {
  const flow = workflow('flow', async ({ step }) => {
    await step.trigger('child', () => request)
  })
  const { status, body } = await ask(flow, { action: 'discover', options: { service: novu } })
  expect([status, body.code]).toEqual([500, 'WorkflowDiscoveryFailedError'])
  expect(body.message).toContain('step "child" triggers a workflow')
})
