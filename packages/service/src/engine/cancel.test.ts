import { describe, expect, test } from 'vitest'
import type { BridgeStepCall } from '../bridge/bridge-call.ts'
import { bothDrivers } from '../store/stores.fixture.ts'
import { createTestChannels } from './channels.fixture.ts'
import type { TestStep } from './engine-rows.fixture.ts'
import { createFakeBridge, refused, replied } from './fake-bridge.fixture.ts'
import { type PlayedEngine, playEngine } from './played-engine.fixture.ts'
import { noEvents } from './port/event-port.ts'
import { holdJobs } from './run/held-job.ts'
import { failJob } from './work/fail-job.ts'

const hourMs = 3_600_000
const collect: TestStep = { stepId: 'collect', type: 'digest' }
const wait: TestStep = { stepId: 'wait', type: 'delay' }
const limit: TestStep = { stepId: 'limit', type: 'throttle' }
const text: TestStep = { stepId: 'text', type: 'sms' }
const mail: TestStep = { stepId: 'mail', type: 'email' }
const ask: TestStep = { stepId: 'ask', type: 'custom' }

/** Cancels a run during the bridge call of a step, and then lets the bridge answer. */
const cancelAsked = async (testEngine: PlayedEngine, name: string, stepId: string): Promise<void> => {
  const held = testEngine.hold(name, stepId)
  await testEngine.begin(name)
  await held.asked
  expect(await testEngine.cancel(name)).toBe(true)
  held.answer()
  await testEngine.drain()
}

describe.each(bothDrivers)('a run canceled during its bridge call, on %s', (driver) => {
  test('for a digest opens none, so that later events are digested together', async (context) => {
    const testEngine = await playEngine(driver, context, { steps: [collect, text] })
    await cancelAsked(testEngine, 'a', 'collect')
    expect(await testEngine.statesOf('a')).toBe('canceled: canceled canceled')
    await testEngine.play('b')
    await testEngine.play('c')
    await testEngine.advanceTo(testEngine.clock.now() + 2 * hourMs)
    expect(await testEngine.messages()).toEqual([['b', 'c']])
  })

  test('for a digest that would join an open one does not join it', async (context) => {
    const testEngine = await playEngine(driver, context, { steps: [collect, text] })
    await testEngine.play('a')
    await cancelAsked(testEngine, 'b', 'collect')
    expect(await testEngine.statesOf('b')).toBe('canceled: canceled canceled')
    await testEngine.play('c')
    await testEngine.advanceTo(testEngine.clock.now() + 2 * hourMs)
    expect(await testEngine.messages()).toEqual([['a', 'c']])
  })

  test.for<[string, TestStep[]]>([
    ['a delay', [wait, text]],
    ['a delay alone', [wait]],
    ['a digest alone', [collect]],
  ])('for %s does not wait', async ([, steps], context) => {
    const testEngine = await playEngine(driver, context, { steps })
    const held = testEngine.hold('a', steps[0]?.stepId ?? '')
    await testEngine.begin('a')
    await held.asked
    expect(await testEngine.cancel('a')).toBe(true)
    expect(await testEngine.cancel('a')).toBe(false)
    held.answer()
    await testEngine.drain()
    expect(await testEngine.statesOf('a')).toBe(['canceled:', ...steps.map(() => 'canceled')].join(' '))
  })

  test('for a throttle does not count toward the limit', async (context) => {
    const testEngine = await playEngine(driver, context, { steps: [limit, text] })
    await cancelAsked(testEngine, 'a', 'limit')
    expect(await testEngine.statesOf('a')).toBe('canceled: canceled canceled')
    await testEngine.play('b')
    await testEngine.play('c')
    expect(await testEngine.messages()).toEqual([['b']])
  })

  test('for a message sends it, and nothing after it', async (context) => {
    const testEngine = await playEngine(driver, context, { steps: [mail, collect, text] })
    await cancelAsked(testEngine, 'a', 'mail')
    expect(await testEngine.statesOf('a')).toBe('canceled: completed canceled canceled')
    expect(await testEngine.messages()).toEqual([['a']])
  })

  test('for a parallel digest and message continues with the message only', async (context) => {
    const steps = [
      { ...collect, parallelGroup: 0 },
      { ...mail, parallelGroup: 0 },
    ]
    const testEngine = await playEngine(driver, context, { steps: [...steps, text] })
    await testEngine.play('a')
    const held = testEngine.hold('b', 'mail')
    await testEngine.begin('b')
    await held.asked
    while ((await testEngine.statesOf('b')) !== 'running: merged running merged') await soon()
    expect(await testEngine.cancel('b')).toBe(true)
    held.answer()
    await testEngine.drain()
    expect(await testEngine.statesOf('b')).toBe('canceled: canceled completed canceled')
    await testEngine.advanceTo(testEngine.clock.now() + 2 * hourMs)
    expect(await testEngine.messages()).toEqual([['a'], ['b'], ['a']])
  })

  test('for a step that requests another one first does not return to that step', async (context) => {
    const side = [
      { ...ask, parallelGroup: 0 },
      { ...mail, parallelGroup: 0 },
    ]
    const needs = (stepId: string) => refused('ExecutionStateCorruptError', { workflowId: 'w', stepId })
    const answer = ({ stepId }: { readonly stepId: string }) => (stepId === 'ask' ? needs('mail') : undefined)
    const testEngine = await playEngine(driver, context, { steps: [...side, text], answer })
    const [first, second] = [testEngine.hold('a', 'ask'), testEngine.hold('a', 'mail')]
    await testEngine.begin('a')
    await Promise.all([first.asked, second.asked])
    expect(await testEngine.cancel('a')).toBe(true)
    first.answer()
    while ((await testEngine.statesOf('a')).includes('running running')) await soon()
    second.answer()
    await testEngine.drain()
    expect(await testEngine.statesOf('a')).toBe('canceled: canceled completed canceled')
    expect(testEngine.asked.toSorted()).toEqual(['a.ask', 'a.mail'])
  })

  test('for a step that then fails in the service stays canceled', async (context) => {
    const testEngine = await playEngine(driver, context, { steps: [wait, text] })
    const bridge = testEngine.hold('a', 'wait')
    await testEngine.begin('a')
    await bridge.asked
    const { id } = await testEngine.store.db
      .selectFrom('jobs')
      .select('id')
      .where('stepId', '=', 'wait')
      .executeTakeFirstOrThrow()
    const [held] = await holdJobs(testEngine.store.db, [id], testEngine.clock.now())
    if (!held) throw new Error('the step does not run')
    await testEngine.cancel('a')
    const ports = {
      ...testEngine,
      bridge: createFakeBridge(() => ({})),
      channels: createTestChannels(),
      events: noEvents,
    }
    const loadTarget = async () => testEngine.target
    const logger = { warn: () => undefined, error: () => undefined }
    await failJob({ ...ports, loadTarget, logger }, held, { error: new Error('lost'), complete: async () => undefined })
    bridge.answer()
    await testEngine.drain()
    expect(await testEngine.statesOf('a')).toBe('canceled: canceled canceled')
  })
})

describe.each(bothDrivers)('a run skipped by a throttle next to a digest, on %s', (driver) => {
  const side = [
    { ...limit, parallelGroup: 0 },
    { ...collect, parallelGroup: 0 },
  ]
  const answer = ({ stepId }: { readonly stepId: string }) =>
    ({
      collect: replied({ amount: 2, unit: 'hours' }),
      limit: replied({ amount: 3, unit: 'hours', threshold: 1 }),
    })[stepId]

  test.for([
    ['is asked still', 'collect', 'running: skipped running skipped'],
    ['is open already', 'limit', 'running: running delayed pending'],
  ])('leaves no digest open that %s', async ([, late = '', meanwhile], context) => {
    const testEngine = await playEngine(driver, context, { steps: [...side, text], answer })
    await testEngine.play('a')
    await testEngine.advanceTo(testEngine.clock.now() + 2.5 * hourMs)
    const held = testEngine.hold('b', late)
    await testEngine.begin('b')
    await held.asked
    while ((await testEngine.statesOf('b')) !== meanwhile) await soon()
    held.answer()
    await testEngine.drain()
    expect(await testEngine.statesOf('b')).toBe('completed: skipped skipped skipped')
    await testEngine.advanceTo(testEngine.clock.now() + 0.7 * hourMs)
    await testEngine.play('c')
    await testEngine.advanceTo(testEngine.clock.now() + 3 * hourMs)
    expect(await testEngine.messages()).toEqual([['a'], ['c']])
  })
})

describe.each(bothDrivers)('a run with two parallel digests, on %s', (driver) => {
  const side = [
    { ...collect, parallelGroup: 0 },
    { ...collect, stepId: 'gather', parallelGroup: 0 },
  ]

  test('transfers both digests when it is canceled', async (context) => {
    const testEngine = await playEngine(driver, context, { steps: [...side, text] })
    for (const name of ['a', 'b', 'c']) await testEngine.play(name)
    expect(await testEngine.cancel('a')).toBe(true)
    expect(await testEngine.statesOf('b')).toBe('running: delayed delayed pending')
    expect(await testEngine.statesOf('c')).toBe('merged: merged merged merged')
    await testEngine.advanceTo(testEngine.clock.now() + 1.5 * hourMs)
    expect(await testEngine.messages()).toEqual([['b', 'c']])
  })

  test('leaves none open when one of them joins another run', async (context) => {
    const answer = ({ stepId, event }: BridgeStepCall) =>
      stepId === 'gather'
        ? replied({ amount: 1, unit: 'hours', digestKey: String(event.payload?.['name']) })
        : undefined
    const testEngine = await playEngine(driver, context, { steps: [...side, text], answer })
    await testEngine.play('a')
    const held = testEngine.hold('b', 'collect')
    await testEngine.begin('b')
    await held.asked
    while (!(await testEngine.statesOf('b')).startsWith('running: running delayed')) await soon()
    held.answer()
    await testEngine.drain()
    expect(await testEngine.statesOf('b')).toBe('merged: merged merged merged')
    const open = await testEngine.store.db
      .selectFrom('digests')
      .select('jobId')
      .where('jobId', 'is not', null)
      .execute()
    expect(open).toHaveLength(2)
    await testEngine.advanceTo(testEngine.clock.now() + 1.5 * hourMs)
    expect(await testEngine.messages()).toEqual([['a', 'b']])
  })
})

const soon = () => new Promise((resolve) => setTimeout(resolve, 2))
