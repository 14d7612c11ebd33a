import { workflow } from '@trestle/core'
import { afterEach, expect, test, vi } from 'vitest'
import { testBridge } from '../simulator/test-bridge.ts'

const timed = workflow('timed', async ({ step }) => {
  const tell = (): object => ({
    now: Date.now(),
    text: new Date().toISOString(),
    called: Date(),
    kept: new Date(7).getTime(),
  })
  await step.custom('first', tell as () => Record<string, unknown>)
  await step.digest('week', () => ({ amount: 7, unit: 'days' }))
  await step.custom('later', async () => {
    await new Promise((resolve) => setTimeout(resolve, 3))
    return { ...tell(), isDate: new Date() instanceof Date, class: new (class extends Date {})().getTime() }
  })
})
const workflowOfSteps = workflow('steps', async ({ step }) => {
  await step.delay('wait', () => ({ amount: 1, unit: 'hours' }))
  await step.sms('text', () => ({ body: 'b' }))
})
const bridge = testBridge({ workflows: [timed] })

afterEach(() => vi.useRealTimers())

test('Date returns the test’s clock, which advances only by waits', async () => {
  const run = await bridge.run(timed, { now: '2026-03-01T12:00:00Z' })
  const startMs = Date.UTC(2026, 2, 1, 12)
  const endMs = Date.UTC(2026, 2, 8, 12)
  expect(run.steps['first']?.outputs).toEqual({
    now: startMs,
    text: '2026-03-01T12:00:00.000Z',
    called: new Date(startMs).toString(),
    kept: 7,
  })
  expect(run.steps['later']?.outputs).toMatchObject({
    now: endMs,
    text: '2026-03-08T12:00:00.000Z',
    isDate: true,
    class: endMs,
  })
  expect([run.startedAt, run.endedAt]).toEqual(['2026-03-01T12:00:00.000Z', '2026-03-08T12:00:00.000Z'])
})

test('a bridge can set a clock for all runs, and a run can override it', async () => {
  const fixed = testBridge({ workflows: [timed], now: 1000 })
  expect((await fixed.run(timed)).startedAt).toBe('1970-01-01T00:00:01.000Z')
  expect((await fixed.run(timed, { now: new Date(2000) })).startedAt).toBe('1970-01-01T00:00:02.000Z')
  await expect(fixed.run(timed, { now: 'soon' })).rejects.toThrow(
    'The option now must be a time (a date, ISO 8601, or milliseconds since 1970); got soon.',
  )
})

test('without a clock the run starts at the current time, even if the test runner has fake timers', async () => {
  vi.useFakeTimers({ now: Date.UTC(2030, 0, 1), toFake: ['Date'] })
  const run = await bridge.run(timed, {})
  expect(run.startedAt).toBe('2030-01-01T00:00:00.000Z')
  expect(Date.now()).toBe(Date.UTC(2030, 0, 1))
})

test('a week takes no time: no real timer is used', async () => {
  // Timers that never fire.
  vi.useFakeTimers({ toFake: ['setTimeout', 'setInterval'] })
  const week = workflow('week', async ({ step }) => {
    await step.digest('collect', () => ({ amount: 7, unit: 'days' }))
    await step.delay('wait', () => ({ amount: 1, unit: 'months' }))
    await step.sms('text', () => ({ body: 'b' }))
  })
  const run = await testBridge({ workflows: [week] }).run(week)
  expect([run.steps['collect']?.waitMs, run.steps['text']?.status]).toEqual([604_800_000, 'completed'])
})

test('a wait beyond the maximum date makes its step fail', async () => {
  const long = workflow('long', async ({ step }) => {
    await step.delay('wait', () => ({ amount: 1e12, unit: 'days' }))
  })
  const run = await testBridge({ workflows: [long] }).run(long)
  expect(run.errors).toMatchObject([{ stepId: 'wait', code: 'ExecutionStateOutputInvalidError' }])
  expect(run.errors[0]?.message).toContain('1000000000000 "days" is not a duration')
})

test('fake timers of the test runner do not block a run', async () => {
  vi.useFakeTimers({ now: 0 })
  const own = testBridge({ workflows: [workflowOfSteps] })
  expect(await own.run(workflowOfSteps)).toMatchObject({ status: 'completed', startedAt: '1970-01-01T00:00:00.000Z' })
  await expect(bridge.run('steps')).rejects.toMatchObject({ code: 'WorkflowNotFoundError' })
})
