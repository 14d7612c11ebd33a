import { type Step, type WorkflowDefinition, workflow } from '@trestle/core'
import type { JsonObject } from '@trestle/protocol'
import { describe, expect, test } from 'vitest'
import type { RunOptions } from '../../context/run-options.ts'
import { result } from '../../context/step-stub.ts'
import type { RunReport } from '../../report/run-report.ts'
import { testBridge } from '../test-bridge.ts'
import '../../vitest.ts'

const logger = { warn: () => undefined, error: () => undefined }
const now = Date.UTC(2026, 0, 1)

const reminder = workflow(
  'reminder',
  async ({ step }) => {
    await step.inApp('placed', () => ({ body: 'Placed' }))
    await step.delay('wait', () => ({ amount: 1, unit: 'days' }))
    await step.email('remind', () => ({ subject: 'Pay', body: '<p>Pay</p>' }))
  },
  { cancelOn: { event: 'order.paid', match: { orderId: 'id' } } },
)
const bridge = testBridge({ workflows: [reminder], logger, now })
const payload = { id: 'o-1' }

describe('an event that cancels a run', () => {
  test('ends the run at the time of the event', async () => {
    const events = [{ name: 'order.paid', payload: { orderId: 'o-1' }, afterMs: 60_000 }]
    const run = await bridge.run(reminder, { payload, events })
    expect(run.status).toBe('canceled')
    expect(run).toHaveSent('in_app')
    expect(run).not.toHaveSent('email')
    expect(run.steps['wait']).toMatchObject({ status: 'canceled', called: true, waitMs: 60_000 })
    expect(run.endedAt).toBe(new Date(now + 60_000).toISOString())
    expect(() => expect(run).toHaveCompleted()).toThrow('canceled')
  })

  test.each([
    ['of another name', { name: 'order.sent', payload: { orderId: 'o-1' } }],
    ['with another value', { name: 'order.paid', payload: { orderId: 'o-2' } }],
    ['that lists other fields', { name: 'order.paid', payload: { orderId: 'o-1' }, match: {} }],
    ['for another subscriber', { name: 'order.paid', payload: { orderId: 'o-1' }, to: 'bob' }],
    ['that comes after the end', { name: 'order.paid', payload: { orderId: 'o-1' }, afterMs: 86_400_001 }],
  ])('does not end the run if the event is one %s', async (_what, event) => {
    const run = await bridge.run(reminder, { payload, events: [{ afterMs: 5, ...event }] })
    expect(run).toHaveCompleted()
    expect(run).toHaveSent('email')
  })

  test('ends only runs that were triggered before it and match its payload', async () => {
    const run = await bridge.run(reminder, {
      payload,
      triggers: [{ payload: { id: 'o-2' } }, { payload: { id: 'o-1' }, afterMs: 10_000 }],
      events: [{ name: 'order.paid', payload: { orderId: 'o-1' }, afterMs: 5_000 }],
    })
    expect([run, ...run.others].map(({ status }) => status)).toEqual(['canceled', 'completed', 'completed'])
  })

  describe('while a digest is open', () => {
    const deleted = { event: 'deleted', match: { id: 'id' } }
    const hour = () => ({ amount: 1, unit: 'hours' }) as const
    const body = async ({ step }: { readonly step: Step }) => {
      const { events } = await step.digest('collect', hour)
      await step.sms('text', () => ({ body: events.map((event) => event.payload['id']).join() }))
    }
    const collect = workflow('collect', body, { cancelOn: deleted })
    /** Triggers run a at once, and the others a second apart; the events come after 10 seconds. */
    const play = (flow: WorkflowDefinition, ids: readonly string[], options: Partial<RunOptions<JsonObject>> = {}) =>
      testBridge({ workflows: [flow], logger, now }).run(flow.id, {
        payload: { id: 'a' },
        triggers: ids.map((id, index) => ({ payload: { id }, afterMs: 1000 * (index + 1) })),
        ...options,
      })
    const cancel = (...ids: readonly string[]) => ({
      events: ids.map((id) => ({ name: 'deleted', payload: { id }, afterMs: 10_000 })),
    })
    const ends = (run: RunReport) => [run, ...run.others].map(({ status, sent }) => [status, sent[0]?.outputs['body']])

    test('removes a merged event from the digest', async () => {
      const run = await play(collect, ['b', 'c'], cancel('b'))
      expect(ends(run)).toEqual([
        ['completed', 'a,c'],
        ['canceled', undefined],
        ['merged', undefined],
      ])
      const [canceled] = run.others
      expect(canceled?.steps['collect']).toMatchObject({ status: 'canceled', waitMs: 9000 })
      expect(canceled).toMatchObject({ state: [], endedAt: new Date(now + 10_000).toISOString() })
    })

    test('lets the next event wait in the place of the first, until the same time', async () => {
      const run = await play(collect, ['b', 'c'], cancel('a'))
      expect(ends(run)).toEqual([
        ['canceled', undefined],
        ['completed', 'b,c'],
        ['merged', undefined],
      ])
      expect(run.others[0]).toHaveSent('sms', {}, { at: now + 3_600_000 })
      expect(run.others[0]?.state.map(({ stepId }) => stepId)).toEqual(['text', 'collect'])
    })

    test('closes the digest if no event is left', async () => {
      const run = await play(collect, ['b'], cancel('b', 'a'))
      expect(ends(run)).toEqual([
        ['canceled', undefined],
        ['canceled', undefined],
      ])
      const triggers = [{ payload: { id: 'b' }, afterMs: 20_000 }]
      const later = await play(collect, [], { ...cancel('a'), triggers })
      expect(later.others[0]).toHaveSent('sms', { body: 'b' }, { at: now + 3_620_000 })
    })

    test('does not cancel a merged run after the digest has ended', async () => {
      const events = [{ name: 'deleted', payload: { id: 'b' }, afterMs: 3_600_001 }]
      expect(ends(await play(collect, ['b'], { events }))).toEqual([
        ['completed', 'a,b'],
        ['merged', undefined],
      ])
    })

    test('resumes the parallel waits of the next run', async () => {
      const parallel = workflow(
        'parallel',
        async ({ step }) => {
          const ping = async () => {
            await step.delay('pause', () => ({ amount: 20, unit: 'minutes' }))
            await step.push('ping', () => ({ subject: 's', body: 'b' }))
          }
          await Promise.all([ping(), body({ step })])
        },
        { cancelOn: deleted },
      )
      const [next] = (await play(parallel, ['b'], cancel('a'))).others
      expect(next).toHaveCompleted()
      expect(next).toHaveSent('push', {}, { at: now + 1_201_000 })
      expect(next).toHaveSent('sms', { body: 'b' }, { at: now + 3_600_000 })
    })

    test('lets the step that awaits the next run wait for it', async () => {
      const parent = workflow('parent', async ({ step }) => {
        const trigger = (id: string) =>
          step.trigger(id, () => ({ workflow: 'collect', to: 'ada', payload: { id } }), { await: true })
        await Promise.all([trigger('a'), trigger('b'), trigger('c')])
      })
      const run = await testBridge({ workflows: [parent, collect], logger, now }).run(parent, cancel('a'))
      expect(run.children.map(({ status }) => status)).toEqual(['canceled', 'completed', 'merged'])
    })

    test.each([
      ['a throttle', 'completed'],
      ['a failure', 'failed'],
    ] as const)('%s that ends its run passes the digest on', async (_what, status) => {
      const stopped = workflow('stopped', async ({ step, payload }) => {
        const stop = async () => {
          await step.delay('pause', () => ({ amount: 10, unit: 'minutes' }))
          if (payload['id'] === 'b') return
          if (status === 'completed') await step.throttle('limit', () => ({ type: 'fixed', amount: 1, unit: 'days' }))
          // Two calls of one id, which differ for every sample, so that discovery accepts the workflow.
          for (const id of [String(payload['id']), 'a']) await step.custom(id, () => ({}))
        }
        await Promise.all([stop(), body({ step })])
      })
      const doubles = status === 'completed' ? { limit: result.throttle({ throttled: true }) } : {}
      const run = await play(stopped, ['b'], { doubles })
      expect(ends(run)).toEqual([
        [status, undefined],
        ['completed', 'b'],
      ])
      expect(run.steps['collect']?.status).toBe('skipped')
    })

    test('a run that has ended does not open a digest', async () => {
      const held = workflow('held', async ({ step, payload }) => {
        const limit = async () => {
          if (payload['id'] === 'a') await step.throttle('limit', () => ({ type: 'fixed', amount: 1, unit: 'days' }))
        }
        await Promise.all([limit(), body({ step })])
      })
      const run = await play(held, ['b'], { doubles: { limit: result.throttle({ throttled: true }) } })
      expect(run.others[0]).toHaveSent('sms', { body: 'b' }, { at: now + 3_601_000 })
    })
  })

  test('is emitted by a handler, and does not wake the run that it cancels', async () => {
    const flow = workflow(
      'flow',
      async ({ step }) => {
        const wait = step.waitForEvent('wait', () => ({ event: 'stop', timeout: { amount: 1, unit: 'hours' } }))
        await step.custom('emit', () => {
          own.emit({ name: 'stop' })
          return {}
        })
        await wait
        await step.custom('late', () => ({}))
      },
      { cancelOn: [{ event: 'other' }, { event: 'stop' }] },
    )
    const own = testBridge({ workflows: [flow], logger })
    const run = await own.run(flow)
    expect(run.status).toBe('canceled')
    expect(run.steps['wait']?.status).toBe('canceled')
    expect(run.steps).not.toHaveProperty('late')
  })
})
