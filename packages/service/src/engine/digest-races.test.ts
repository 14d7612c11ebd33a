import { describe, expect, type TestContext, test } from 'vitest'
import type { TestStep } from './engine-rows.fixture.ts'
import { type HeldRows, holdRows, untilBlocked } from './held-rows.fixture.ts'
import { type PlayedEngine, playEngine } from './played-engine.fixture.ts'

const hourMs = 3_600_000
const collect: TestStep = { stepId: 'collect', type: 'digest' }
const text: TestStep = { stepId: 'text', type: 'sms' }

const holdRun = async (testEngine: PlayedEngine, name: string): Promise<HeldRows> => {
  const id = await testEngine.runIdOf(name)
  return holdRows(testEngine, (tx) => tx.updateTable('runs').set({ updatedAt: 0 }).where('id', '=', id).execute())
}

/** Writes the steps after the digest last, when the digest has been entered or ended. */
const holdText = async (testEngine: PlayedEngine, name: string): Promise<HeldRows> => {
  const runId = await testEngine.runIdOf(name)
  return holdRows(testEngine, (tx) =>
    tx.updateTable('jobs').set({ updatedAt: 0 }).where('runId', '=', runId).where('stepId', '=', 'text').execute(),
  )
}

const play = async (context: TestContext, names: readonly string[]) => {
  const testEngine = await playEngine('postgres', context, { steps: [collect, text] })
  for (const name of names) {
    await testEngine.play(name)
    testEngine.clock.advance(1000)
  }
  const end = async () => {
    await testEngine.advanceTo(testEngine.clock.now() + 2 * hourMs)
    return testEngine.messages()
  }
  return { ...testEngine, end }
}

describe('concurrent changes of one digest, on postgres', () => {
  test('an event that is canceled together with the digest does not take over the digest', async (context) => {
    const testEngine = await play(context, ['a', 'b', 'c'])
    const held = await holdRun(testEngine, 'b')
    const event = testEngine.cancel('b')
    await untilBlocked(testEngine, 1)
    const digest = testEngine.cancel('a')
    await untilBlocked(testEngine, 2)
    await held.release()
    expect(await Promise.all([event, digest])).toEqual([true, true])
    expect(await testEngine.statesOf('b')).toBe('canceled: canceled canceled')
    expect(await testEngine.end()).toEqual([['c']])
  })

  test('an event that has taken over the digest passes it on when it is canceled', async (context) => {
    const testEngine = await play(context, ['a', 'b', 'c'])
    const held = await holdRun(testEngine, 'b')
    const digest = testEngine.cancel('a')
    await untilBlocked(testEngine, 1)
    const event = testEngine.cancel('b')
    await untilBlocked(testEngine, 2)
    await held.release()
    expect(await Promise.all([event, digest])).toEqual([true, true])
    expect(await testEngine.statesOf('b')).toBe('canceled: canceled canceled')
    expect(await testEngine.end()).toEqual([['c']])
  })

  test('an event that joins a digest during its cancellation takes it over', async (context) => {
    const testEngine = await play(context, ['a'])
    const bridge = testEngine.hold('b', 'collect')
    await testEngine.begin('b')
    await bridge.asked
    const held = await holdText(testEngine, 'b')
    bridge.answer()
    await untilBlocked(testEngine, 1)
    const digest = testEngine.cancel('a')
    await untilBlocked(testEngine, 2)
    await held.release()
    expect(await digest).toBe(true)
    await testEngine.drain()
    expect(await testEngine.statesOf('b')).toBe('running: delayed pending')
    expect(await testEngine.end()).toEqual([['b']])
  })

  test('an event that is canceled while the digest ends is not included', async (context) => {
    const testEngine = await play(context, ['a', 'b'])
    const held = await holdText(testEngine, 'b')
    const event = testEngine.cancel('b')
    await untilBlocked(testEngine, 1)
    testEngine.clock.advance(2 * hourMs)
    const sweep = testEngine.engine.sweep()
    await Promise.race([sweep, untilBlocked(testEngine, 2)])
    await held.release()
    await sweep
    expect(await event).toBe(true)
    await testEngine.drain()
    expect(await testEngine.messages()).toEqual([['a']])
  })

  test('an event that is canceled while the digest is transferred is not included', async (context) => {
    const testEngine = await play(context, ['a', 'b', 'c'])
    const held = await holdRun(testEngine, 'c')
    const digest = testEngine.cancel('a')
    await untilBlocked(testEngine, 1)
    const event = testEngine.cancel('c')
    await untilBlocked(testEngine, 2)
    await held.release()
    expect(await Promise.all([event, digest])).toEqual([true, true])
    expect(await testEngine.statesOf('c')).toBe('canceled: canceled canceled')
    expect(await testEngine.end()).toEqual([['b']])
  })

  test('events are in the order of their triggers, not of their bridge calls', async (context) => {
    const testEngine = await play(context, ['a', 'b', 'c'])
    const late = { calledAt: testEngine.clock.now() + 1000 }
    // Simulates another process that is slow, or that waits until the bridge is available again.
    for (const name of ['a', 'b'])
      await testEngine.store.db
        .updateTable('jobs')
        .set(late)
        .where('runId', '=', await testEngine.runIdOf(name))
        .execute()
    expect(await testEngine.end()).toEqual([['a', 'b', 'c']])
  })
})
