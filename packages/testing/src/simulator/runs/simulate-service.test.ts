import { workflow } from '@trestle/core'
import { describe, expect, test } from 'vitest'
import { z } from 'zod'
import { testBridge } from '../test-bridge.ts'

const hourMs = 3_600_000
const comments = workflow(
  'comments',
  async ({ step, payload }) => {
    const { events, eventCount } = await step.digest('collect', () => ({
      amount: 1,
      unit: 'hours',
      digestKey: payload.post,
    }))
    await step.email('mail', () => ({
      subject: `${eventCount}`,
      body: events.map((event) => event.payload['text']).join(),
    }))
  },
  { payloadSchema: z.object({ post: z.string(), text: z.string() }) },
)
const morning = workflow('morning', async ({ step }) => {
  await step.digest('collect', () => ({ cron: '0 9 * * *' }))
  await step.delay('until-due', () => ({ type: 'dynamic', dynamicKey: 'due' }))
  await step.sms('text', () => ({ body: 'Good morning' }))
})

describe.each(['run-driven', 'listed'] as const)('a %s service', (service) => {
  const unreached = (status: string): string | undefined => (service === 'listed' ? status : undefined)
  const bridge = testBridge({ workflows: [comments], now: '2026-01-01T00:00:00Z', service })

  test('a digest receives the events of several triggers, oldest first', async () => {
    const run = await bridge.run(comments, {
      payload: { post: 'p', text: 'a' },
      triggers: [
        { payload: { post: 'p', text: 'c' }, afterMs: 2000 },
        { payload: { post: 'p', text: 'b' }, afterMs: 1000 },
      ],
    })
    expect(run.steps['mail']?.outputs).toEqual({ subject: '3', body: 'a,b,c' })
    expect(run.steps['collect']?.result['events']).toEqual([
      { id: 'transaction-1', time: '2026-01-01T00:00:00.000Z', payload: { post: 'p', text: 'a' } },
      { id: 'transaction-3', time: '2026-01-01T00:00:01.000Z', payload: { post: 'p', text: 'b' } },
      { id: 'transaction-2', time: '2026-01-01T00:00:02.000Z', payload: { post: 'p', text: 'c' } },
    ])
    expect(run.others.map(({ transactionId, status }) => [transactionId, status])).toEqual([
      ['transaction-2', 'merged'],
      ['transaction-3', 'merged'],
    ])
    expect(run.others[0]?.steps['mail']?.status).toBe(unreached('merged'))
  })

  test('events with a different key, and late events, have separate digests', async () => {
    const run = await bridge.run(comments, {
      payload: { post: 'p', text: 'a' },
      triggers: [
        { payload: { post: 'q', text: 'b' } },
        { payload: { post: 'p', text: 'in time' }, afterMs: hourMs },
        { payload: { post: 'p', text: 'late' }, afterMs: hourMs + 1 },
      ],
    })
    expect([run, ...run.others].map(({ status, steps }) => [status, steps['mail']?.outputs['body']])).toEqual([
      ['completed', 'a,in time'],
      ['completed', 'b'],
      ['merged', undefined],
      ['completed', 'late'],
    ])
  })

  test('a delay reports when it would end, and an invalid delay makes its step fail', async () => {
    const waits = workflow('waits', async ({ step }) => {
      await step.delay('until', () => ({ type: 'dynamic', dynamicKey: 'payload.at' }))
      const { duration } = await step.delay('hour', () => ({ amount: 1, unit: 'hours' }))
      await step.sms('text', () => ({ body: `${duration}` }))
    })
    const own = testBridge({ workflows: [waits], now: '2026-01-01T00:00:00Z', service })
    const run = await own.run(waits, { payload: { at: '2026-01-02T00:00:00Z' } })
    expect(run.steps['until']).toMatchObject({ endsAt: '2026-01-02T00:00:00.000Z', waitMs: 24 * hourMs })
    expect(run.steps['hour']).toMatchObject({
      startedAt: '2026-01-02T00:00:00.000Z',
      endsAt: '2026-01-02T01:00:00.000Z',
    })
    expect(run.steps['text']?.outputs['body']).toBe('3600000')
    const never = await own.run(waits, {})
    expect(never.errors).toMatchObject([{ stepId: 'until', code: 'ExecutionStateOutputInvalidError', status: 400 }])
    expect(never.steps['text']?.status).toBe('completed')
  })

  test('a throttle limits runs within its window, skipping all steps after it', async () => {
    const alerts = workflow('alerts', async ({ step }) => {
      await step.throttle('limit', () => ({ type: 'fixed', amount: 1, unit: 'hours', threshold: 2 }))
      await step.sms('text', () => ({ body: 'b' }))
    })
    const triggers = [1, 2, 60].map((minutes) => ({ payload: {}, afterMs: minutes * 60_000 }))
    const run = await testBridge({ workflows: [alerts], service }).run(alerts, { triggers })
    expect([run, ...run.others].map(({ status, steps }) => [status, steps['text']?.status])).toEqual([
      ['completed', 'completed'],
      ['completed', 'completed'],
      ['completed', unreached('skipped')],
      ['completed', 'completed'],
    ])
    expect(run.others[1]?.steps['limit']?.result).toMatchObject({ throttled: true, executionCount: 3, threshold: 2 })
  })

  test('a digest with a look-back window lets the first event through', async () => {
    const busy = workflow('busy', async ({ step }) => {
      const { events } = await step.digest('collect', () => ({
        amount: 10,
        unit: 'minutes',
        lookBackWindow: { amount: 5, unit: 'minutes' },
      }))
      await step.sms('text', () => ({ body: `${events.length}` }))
    })
    const triggers = [1, 2].map((minutes) => ({ payload: {}, afterMs: minutes * 60_000 }))
    const run = await testBridge({ workflows: [busy], service }).run(busy, { triggers })
    expect([run.steps['collect']?.status, run.steps['text']?.outputs['body']]).toEqual(['completed', '1'])
    expect(run.others[0]?.steps['text']?.outputs['body']).toBe('2')
    expect(run.others[1]?.status).toBe('merged')
  })

  test('a digest has the times of the triggers, not when its runs reached it', async () => {
    const slow = workflow(
      'slow',
      async ({ step, payload }) => {
        await step.delay('pause', () => ({ amount: payload.minutes, unit: 'minutes' }))
        const { events } = await step.digest('collect', () => ({
          amount: 1,
          unit: 'hours',
          lookBackWindow: { amount: 5, unit: 'minutes' },
        }))
        await step.sms('text', () => ({ body: events.map(({ time }) => time.slice(11, 16)).join() }))
      },
      { payloadSchema: z.object({ minutes: z.number() }) },
    )
    const own = testBridge({ workflows: [slow], now: '2026-01-01T00:00:00Z', service })
    const minutes = (wait: number, after: number) => ({ payload: { minutes: wait }, afterMs: after * 60_000 })
    const triggers = [minutes(1, 4), minutes(5, 6), minutes(5, 7)]
    const run = await own.run(slow, { payload: { minutes: 14 }, triggers })
    // The further runs reach the digest at 00:05, 00:11 and 00:12, and the first run at 00:14.
    expect([run, ...run.others].map(({ steps }) => steps['text']?.outputs['body'])).toEqual([
      ...[undefined, '00:04', '00:06', '00:00,00:07'],
    ])
  })

  test('a conditional step whose condition is false is skipped', async () => {
    const vip = workflow(
      'vip',
      async ({ step, payload }) => {
        if (payload.vip) await step.sms('text', () => ({ body: 'b' }))
        await step.email('mail', () => ({ subject: 's', body: 'b' }))
      },
      { payloadSchema: z.object({ vip: z.boolean() }) },
    )
    const own = testBridge({ workflows: [vip], service })
    const statuses = async (is: boolean): Promise<unknown> =>
      Object.values((await own.run(vip, { payload: { vip: is } })).steps).map(({ stepId, status }) => [stepId, status])
    expect(await statuses(true)).toEqual([
      ['text', 'completed'],
      ['mail', 'completed'],
    ])
    expect(await statuses(false)).toEqual([
      ...(service === 'listed' ? [['text', 'skipped']] : []),
      ['mail', 'completed'],
    ])
  })

  test.each([
    ['America/New_York', ['2026-01-01T14:00:00.000Z', '2026-01-02T12:30:00.000Z']],
    ['Asia/Kolkata', ['2026-01-01T03:30:00.000Z', '2026-01-02T02:00:00.000Z']],
    ['Mars/Olympus', ['2026-01-01T09:00:00.000Z', '2026-01-02T07:30:00.000Z']],
    [undefined, ['2026-01-01T09:00:00.000Z', '2026-01-02T07:30:00.000Z']],
  ])("reads cron expressions and times without a zone on the recipient's clock in %s", async (timezone, ends) => {
    const zoned = testBridge({ workflows: [morning], now: '2026-01-01T00:00:00Z', service })
    const run = await zoned.run(morning, {
      payload: { due: '2026-01-02T07:30' },
      subscriber: { subscriberId: 'ada', ...(timezone && { timezone }) },
    })
    expect(['collect', 'until-due'].map((id) => run.steps[id]?.endsAt)).toEqual(ends)
  })
})
