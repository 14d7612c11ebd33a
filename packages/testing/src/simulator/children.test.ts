import { type Workflow, type WorkflowDefinition, workflow } from '@trestle/core'
import { describe, expect, test } from 'vitest'
import { z } from 'zod'
import { failure, result } from '../context/step-stub.ts'
import type { RunReport } from '../report/run-report.ts'
import { testBridge } from './test-bridge.ts'
import '../vitest.ts'

const logger = { warn: () => undefined, error: () => undefined }
const now = Date.UTC(2026, 0, 1)
const dayMs = 86_400_000
const day = () => ({ amount: 1, unit: 'days' }) as const

const invoice = workflow(
  'invoice',
  async ({ step, payload, subscriber }) => {
    await step.delay('wait', day)
    await step.email('mail', () => ({ subject: `Invoice ${payload.id}`, body: `<p>${subscriber.subscriberId}</p>` }))
  },
  { payloadSchema: z.object({ id: z.string() }) },
)
const order = workflow(
  'order',
  async ({ step, payload }) => {
    const to = payload['to'] as string | readonly string[]
    const { status, runs } = await step.trigger('invoice', () => ({ workflow: invoice, to, payload: { id: 'i-1' } }), {
      await: true,
    })
    await step.sms('text', () => ({ body: `${status} ${runs.map((run) => run.subscriberId).join()}` }))
  },
  { cancelOn: { event: 'order.canceled' } },
)
const bridgeOf = (...workflows: readonly WorkflowDefinition[]) => testBridge({ workflows, logger, now })
const bridge = bridgeOf(order, invoice)

describe('a step that awaits the runs that it triggered', () => {
  test('skips their time, and receives how they ended', async () => {
    const run = await bridge.run(order, { payload: { to: 'ada' } })
    expect(run).toHaveCompleted()
    expect(run).toHaveSent('sms', { body: 'completed ada' })
    expect(run).not.toHaveSent('email')
    expect(run.steps['invoice']).toMatchObject({ waitMs: dayMs, result: { status: 'completed' } })
    expect(run.endedAt).toBe(new Date(now + dayMs).toISOString())
    const [child] = run.children
    expect(child).toMatchObject({ workflowId: 'invoice', stepId: 'invoice', subscriberId: 'ada', status: 'completed' })
    expect(child).toHaveSent('email', { subject: 'Invoice i-1' }, { at: now + dayMs })
  })

  test('waits for all recipients, each once', async () => {
    const run = await bridge.run(order, { payload: { to: ['ada', 'bob', 'ada'] } })
    expect(run).toHaveSent('sms', { body: 'completed ada,bob' })
    expect(run.children.map((child) => child.sent[0]?.outputs['body'])).toEqual(['<p>ada</p>', '<p>bob</p>'])
    expect(new Set(run.children.map(({ transactionId }) => transactionId)).size).toBe(2)
  })

  test('receives a failure, which does not fail its run', async () => {
    const children = { invoice: { doubles: { mail: failure('no mail') } } }
    const run = await bridge.run(order, { payload: { to: 'ada' }, children })
    expect(run).toHaveCompleted()
    expect(run).toHaveSent('sms', { body: 'failed ada' })
    expect(run.children[0]).toHaveFailed('mail')
  })

  test('is canceled with its runs', async () => {
    const events = [{ name: 'order.canceled', afterMs: 60_000 }]
    const run = await bridge.run(order, { payload: { to: ['ada', 'bob'] }, events })
    expect([run, ...run.children].map(({ status, endedAt }) => [status, endedAt])).toEqual(
      Array.from({ length: 3 }, () => ['canceled', new Date(now + 60_000).toISOString()]),
    )
    expect(run.steps['invoice']?.status).toBe('canceled')
    expect(run.children.flatMap(({ sent }) => sent)).toEqual([])
  })

  test('ends the run only after them, if the function does not await it', async () => {
    const eager = workflow('eager', async ({ step }) => {
      void step.trigger('invoice', () => ({ workflow: invoice, to: 'ada', payload: { id: 'i' } }), { await: true })
      await step.sms('text', () => ({ body: 'b' }))
    })
    const run = await bridgeOf(eager, invoice).run(eager)
    expect(run).toHaveCompleted()
    expect(run.steps['invoice']).toMatchObject({ status: 'completed', waitMs: dayMs })
    expect(run.endedAt).toBe(new Date(now + dayMs).toISOString())
  })

  test('can be replaced by a double', async () => {
    const doubles = { invoice: result.trigger({ status: 'failed' }) }
    const run = await bridge.run(order, { payload: { to: 'ada' }, doubles })
    expect(run).toHaveSent('sms', { body: 'failed ' })
    expect(run.children).toEqual([])
  })
})

describe('a step that triggers a workflow', () => {
  test('does not wait for its runs, whose failures and cancelation are separate', async () => {
    const quick = workflow(
      'quick',
      async ({ step }) => {
        const { status, transactionId } = await step.trigger('invoice', () => ({
          workflow: 'invoice',
          to: 'ada',
          payload: { id: 'i-2' },
        }))
        await step.sms('text', () => ({ body: `${status} ${transactionId}` }))
        await step.delay('wait', day)
      },
      { cancelOn: { event: 'stop' } },
    )
    const events = [{ name: 'stop', afterMs: 1 }]
    const run = await bridgeOf(quick, invoice).run(quick, { events })
    expect(run).toHaveSent('sms', { body: 'triggered transaction-1:invoice' }, { at: now })
    expect([run.status, run.children[0]?.status]).toEqual(['canceled', 'completed'])
    expect(run.children[0]).toHaveSent('email', { subject: 'Invoice i-2' })
  })

  test.each([
    ['an unknown workflow', { workflow: 'other', to: 'ada' }, 'the bridge has no workflow "other"'],
    ['a topic', { workflow: 'invoice', to: { topicKey: 'team' } }, 'the kit does not know the members of topic "team"'],
    ['no recipient', { workflow: 'invoice', to: {} }, 'to must be a subscriber id'],
  ])('fails for %s', async (_what, output, message) => {
    const flow = workflow('flow', async ({ step }) => void (await step.trigger('child', () => output as never)))
    const run = await bridgeOf(flow, invoice).run(flow)
    expect(run).toHaveFailed('child', { code: 'ExecutionStateOutputInvalidError' })
    expect(run.errors[0]?.message).toContain(`Step "child" cannot trigger a workflow: ${message}`)
  })

  test('fails if runs trigger each other too often in a row', async () => {
    const self: Workflow = workflow('self', async ({ step }) => {
      const { status } = await step.trigger('again', () => ({ workflow: self, to: 'ada' }), { await: true })
      if (status === 'failed') throw new Error('below')
    })
    const run = await bridgeOf(self).run(self)
    const depthOf = ({ children: [child] }: RunReport): number => (child ? 1 + depthOf(child) : 0)
    expect([run.status, depthOf(run)]).toEqual(['failed', 5])
    let last: RunReport = run
    for (let [next] = run.children; next; [next] = next.children) last = next
    expect(last).toHaveFailed('again')
    expect(last.errors[0]?.message).toContain('5 times in a row')
  })

  test('works in each of many triggers', async () => {
    const flow = workflow('flow', async ({ step }) => {
      await step.trigger('child', () => ({ workflow: 'invoice', to: 'ada', payload: { id: 'i-1' } }))
    })
    const run = await bridgeOf(flow, invoice).run(flow, {
      triggers: Array.from({ length: 6 }, () => ({ payload: {} })),
    })
    expect(run).toHaveCompleted()
    expect(run.others.map(({ children }) => children.length)).toEqual(Array.from({ length: 6 }, () => 1))
  })

  test('has runs whose subscriber has all fields of earlier triggers', async () => {
    const hello = workflow('hello', async ({ step, subscriber }) => {
      const { firstName, timezone } = subscriber
      await step.delay('wait', () => ({ cron: '0 9 * * *' }))
      await step.sms('text', () => ({ body: `${firstName} ${timezone}` }))
    })
    const flow = workflow('flow', async ({ step, subscriber }) => {
      const to = { subscriberId: 'ada', firstName: 'Ada' }
      await step.trigger('first', () => ({ workflow: hello, to }), { await: true })
      await step.trigger('second', () => ({ workflow: hello, to: 'ada' }), { await: true })
      await step.sms('text', () => ({ body: `${subscriber.firstName}` }))
    })
    const subscriber = { subscriberId: 'ada', firstName: 'A.', timezone: 'Asia/Tokyo' }
    const run = await bridgeOf(flow, hello).run(flow, { subscriber })
    expect(run).toHaveSent('sms', { body: 'Ada' })
    expect(run.children).toHaveLength(2)
    for (const child of run.children) expect(child).toHaveSent('sms', { body: 'Ada Asia/Tokyo' })
    expect(run.children[0]).toHaveSent('sms', {}, { at: Date.UTC(2026, 0, 2) })
    expect(subscriber.firstName).toBe('A.')
  })

  test('passes its overrides to its runs', async () => {
    const flow = workflow('flow', async ({ step }) => {
      const overrides = { delay: { amount: 2, unit: 'days' } }
      await step.trigger('child', () => ({ workflow: 'invoice', to: 'ada', payload: { id: 'i-1' }, overrides }))
    })
    const run = await bridgeOf(flow, invoice).run(flow)
    expect(run.children[0]?.steps['wait']).toMatchObject({ waitMs: 2 * dayMs })
  })

  test('shares digests of the same workflow and recipient', async () => {
    const digest = workflow('digest', async ({ step }) => {
      const { eventCount } = await step.digest('collect', day)
      await step.sms('text', () => ({ body: `${eventCount}` }))
    })
    const many = workflow('many', async ({ step }) => {
      const to = ['ada', 'bob']
      const first = step.trigger('first', () => ({ workflow: digest, to }), { await: true })
      const second = step.trigger('second', () => ({ workflow: digest, to: 'ada' }), { await: true })
      await Promise.all([first, second])
    })
    const run = await bridgeOf(many, digest).run(many)
    expect(run).toHaveCompleted()
    expect(run.children.map(({ status, sent }) => [status, sent[0]?.outputs['body']])).toEqual([
      ['completed', '2'],
      ['completed', '1'],
      ['merged', undefined],
    ])
  })

  test('fails in a service that follows the list', async () => {
    const run = await bridge.run(order, { payload: { to: 'ada' }, service: 'listed' })
    expect(run).toHaveFailed('invoice', { message: /triggers a workflow.*run-driven execution/ })
  })
})

test('options of runs that steps trigger are checked', async () => {
  const run = (children: object) => bridge.run(order, { payload: { to: 'ada' }, children } as never)
  await expect(run({ invoce: {} })).rejects.toThrow('the bridge has no such workflow')
  await expect(run({ invoice: { doubles: { mial: {} } } })).rejects.toThrow('has no such step')
  await expect(run({ invoice: { payload: {} } })).rejects.toThrow('Unknown option "children.invoice.payload"')
})
