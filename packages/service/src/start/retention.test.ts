import { describe, expect, type TestContext, test } from 'vitest'
import type { ServiceContext } from '../context/service-context.ts'
import type { TestStep } from '../engine/engine-rows.fixture.ts'
import { type PlayedEngine, type PlayOptions, playEngine } from '../engine/played-engine.fixture.ts'
import type { StoreDriver } from '../store/store.ts'
import { drivers } from '../store/stores.fixture.ts'
import { createRetention } from './retention.ts'

const hourMs = 3_600_000
const collect: TestStep = { stepId: 'collect', type: 'digest' }
const wait: TestStep = { stepId: 'wait', type: 'delay' }
const text: TestStep = { stepId: 'text', type: 'sms' }

const play = async (driver: StoreDriver, context: TestContext, options: PlayOptions) => {
  const made = await playEngine(driver, context, options)
  const { store, clock } = made
  const settings = { retentionMs: hourMs / 4 }
  const { sweep } = createRetention({ store, clock, settings } as unknown as ServiceContext)
  return { ...made, sweep, later: (part: number) => made.advanceTo(clock.now() + part * hourMs) }
}

const left = async ({ store }: PlayedEngine) => {
  const rows = await store.db.selectFrom('runs').select('transactionId').orderBy('transactionId').execute()
  return rows.map(({ transactionId }) => transactionId)
}

describe.each(drivers)('what is old, on %s', (driver) => {
  test('stays while a digest collects it, and while the message of the digest is being made', async (context) => {
    const made = await play(driver, context, { steps: [collect, wait, text] })
    for (const name of ['a', 'b', 'c']) await made.play(name)
    await made.later(0.5)
    expect(await made.sweep()).toBe(0)
    await made.later(0.6)
    expect(await made.statesOf('a')).toBe('running: completed delayed pending')
    expect(await made.sweep()).toBe(0)
    await made.later(1)
    expect(await made.messages()).toEqual([['a', 'b', 'c']])
    expect(await made.sweep()).toBe(2)
    expect(await left(made)).toEqual(['a'])
    await made.later(0.3)
    expect(await made.sweep()).toBe(1)
    expect(await left(made)).toEqual([])
  })

  test('stays in a digest that was handed over, and goes when it was canceled', async (context) => {
    const made = await play(driver, context, { steps: [collect, text] })
    for (const name of ['a', 'b', 'c', 'd']) await made.play(name)
    await made.cancel('a')
    await made.cancel('d')
    await made.later(0.5)
    expect(await made.sweep()).toBe(2)
    expect(await left(made)).toEqual(['b', 'c'])
    await made.later(0.6)
    expect(await made.messages()).toEqual([['b', 'c']])
  })
})
