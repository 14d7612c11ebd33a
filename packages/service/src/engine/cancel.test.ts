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
const cancelAsked = async (made: PlayedEngine, name: string, stepId: string): Promise<void> => {
  const held = made.hold(name, stepId)
  await made.begin(name)
  await held.asked
  expect(await made.cancel(name)).toBe(true)
  held.answer()
  await made.drain()
}

describe.each(bothDrivers)('a run canceled during its bridge call, on %s', (driver) => {
  test('for a digest opens none, so that later events are digested together', async (context) => {
    const made = await playEngine(driver, context, { steps: [collect, text] })
    await cancelAsked(made, 'a', 'collect')
    expect(await made.statesOf('a')).toBe('canceled: canceled canceled')
    await made.play('b')
    await made.play('c')
    await made.advanceTo(made.clock.now() + 2 * hourMs)
    expect(await made.messages()).toEqual([['b', 'c']])
  })

  test('for a digest that would join an open one does not join it', async (context) => {
    const made = await playEngine(driver, context, { steps: [collect, text] })
    await made.play('a')
    await cancelAsked(made, 'b', 'collect')
    expect(await made.statesOf('b')).toBe('canceled: canceled canceled')
    await made.play('c')
    await made.advanceTo(made.clock.now() + 2 * hourMs)
    expect(await made.messages()).toEqual([['a', 'c']])
  })

  test.for<[string, TestStep[]]>([
    ['a delay', [wait, text]],
    ['a delay alone', [wait]],
    ['a digest alone', [collect]],
  ])('for %s does not wait', async ([, steps], context) => {
    const made = await playEngine(driver, context, { steps })
    const held = made.hold('a', steps[0]?.stepId ?? '')
    await made.begin('a')
    await held.asked
    expect(await made.cancel('a')).toBe(true)
    expect(await made.cancel('a')).toBe(false)
    held.answer()
    await made.drain()
    expect(await made.statesOf('a')).toBe(['canceled:', ...steps.map(() => 'canceled')].join(' '))
  })

  test('for a throttle does not count toward the limit', async (context) => {
    const made = await playEngine(driver, context, { steps: [limit, text] })
    await cancelAsked(made, 'a', 'limit')
    expect(await made.statesOf('a')).toBe('canceled: canceled canceled')
    await made.play('b')
    await made.play('c')
    expect(await made.messages()).toEqual([['b']])
  })

  test('for a message sends it, and nothing after it', async (context) => {
    const made = await playEngine(driver, context, { steps: [mail, collect, text] })
    await cancelAsked(made, 'a', 'mail')
    expect(await made.statesOf('a')).toBe('canceled: completed canceled canceled')
    expect(await made.messages()).toEqual([['a']])
  })

  test('for a parallel digest and message continues with the message only', async (context) => {
    const steps = [
      { ...collect, parallelGroup: 0 },
      { ...mail, parallelGroup: 0 },
    ]
    const made = await playEngine(driver, context, { steps: [...steps, text] })
    await made.play('a')
    const held = made.hold('b', 'mail')
    await made.begin('b')
    await held.asked
    while ((await made.statesOf('b')) !== 'running: merged running merged') await soon()
    expect(await made.cancel('b')).toBe(true)
    held.answer()
    await made.drain()
    expect(await made.statesOf('b')).toBe('canceled: canceled completed canceled')
    await made.advanceTo(made.clock.now() + 2 * hourMs)
    expect(await made.messages()).toEqual([['a'], ['b'], ['a']])
  })

  test('for a step that requests another one first does not return to that step', async (context) => {
    const side = [
      { ...ask, parallelGroup: 0 },
      { ...mail, parallelGroup: 0 },
    ]
    const needs = (stepId: string) => refused('ExecutionStateCorruptError', { workflowId: 'w', stepId })
    const answer = ({ stepId }: { readonly stepId: string }) => (stepId === 'ask' ? needs('mail') : undefined)
    const made = await playEngine(driver, context, { steps: [...side, text], answer })
    const [first, second] = [made.hold('a', 'ask'), made.hold('a', 'mail')]
    await made.begin('a')
    await Promise.all([first.asked, second.asked])
    expect(await made.cancel('a')).toBe(true)
    first.answer()
    while ((await made.statesOf('a')).includes('running running')) await soon()
    second.answer()
    await made.drain()
    expect(await made.statesOf('a')).toBe('canceled: canceled completed canceled')
    expect(made.asked.toSorted()).toEqual(['a.ask', 'a.mail'])
  })

  test('for a step that then fails in the service stays canceled', async (context) => {
    const made = await playEngine(driver, context, { steps: [wait, text] })
    const bridge = made.hold('a', 'wait')
    await made.begin('a')
    await bridge.asked
    const { id } = await made.store.db
      .selectFrom('jobs')
      .select('id')
      .where('stepId', '=', 'wait')
      .executeTakeFirstOrThrow()
    const [held] = await holdJobs(made.store.db, [id], made.clock.now())
    if (!held) throw new Error('the step does not run')
    await made.cancel('a')
    const ports = {
      ...made,
      bridge: createFakeBridge(() => ({})),
      channels: createTestChannels(),
      events: noEvents,
    }
    const loadTarget = async () => made.target
    const logger = { warn: () => undefined, error: () => undefined }
    await failJob({ ...ports, loadTarget, logger }, held, { error: new Error('lost'), complete: async () => undefined })
    bridge.answer()
    await made.drain()
    expect(await made.statesOf('a')).toBe('canceled: canceled canceled')
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
    const made = await playEngine(driver, context, { steps: [...side, text], answer })
    await made.play('a')
    await made.advanceTo(made.clock.now() + 2.5 * hourMs)
    const held = made.hold('b', late)
    await made.begin('b')
    await held.asked
    while ((await made.statesOf('b')) !== meanwhile) await soon()
    held.answer()
    await made.drain()
    expect(await made.statesOf('b')).toBe('completed: skipped skipped skipped')
    await made.advanceTo(made.clock.now() + 0.7 * hourMs)
    await made.play('c')
    await made.advanceTo(made.clock.now() + 3 * hourMs)
    expect(await made.messages()).toEqual([['a'], ['c']])
  })
})

describe.each(bothDrivers)('a run with two parallel digests, on %s', (driver) => {
  const side = [
    { ...collect, parallelGroup: 0 },
    { ...collect, stepId: 'gather', parallelGroup: 0 },
  ]

  test('transfers both digests when it is canceled', async (context) => {
    const made = await playEngine(driver, context, { steps: [...side, text] })
    for (const name of ['a', 'b', 'c']) await made.play(name)
    expect(await made.cancel('a')).toBe(true)
    expect(await made.statesOf('b')).toBe('running: delayed delayed pending')
    expect(await made.statesOf('c')).toBe('merged: merged merged merged')
    await made.advanceTo(made.clock.now() + 1.5 * hourMs)
    expect(await made.messages()).toEqual([['b', 'c']])
  })

  test('leaves none open when one of them joins another run', async (context) => {
    const answer = ({ stepId, event }: BridgeStepCall) =>
      stepId === 'gather'
        ? replied({ amount: 1, unit: 'hours', digestKey: String(event.payload?.['name']) })
        : undefined
    const made = await playEngine(driver, context, { steps: [...side, text], answer })
    await made.play('a')
    const held = made.hold('b', 'collect')
    await made.begin('b')
    await held.asked
    while (!(await made.statesOf('b')).startsWith('running: running delayed')) await soon()
    held.answer()
    await made.drain()
    expect(await made.statesOf('b')).toBe('merged: merged merged merged')
    const open = await made.store.db.selectFrom('digests').select('jobId').where('jobId', 'is not', null).execute()
    expect(open).toHaveLength(2)
    await made.advanceTo(made.clock.now() + 1.5 * hourMs)
    expect(await made.messages()).toEqual([['a', 'b']])
  })
})

const soon = () => new Promise((resolve) => setTimeout(resolve, 2))
