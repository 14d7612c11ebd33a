import { describe, expect, type TestContext, test } from 'vitest'
import type { TestStep } from './engine-rows.fixture.ts'
import { type HeldRows, holdRows, untilBlocked } from './held-rows.fixture.ts'
import { type PlayedEngine, playEngine } from './played-engine.fixture.ts'

const hourMs = 3_600_000
const collect: TestStep = { stepId: 'collect', type: 'digest' }
const text: TestStep = { stepId: 'text', type: 'sms' }

const holdRun = async (made: PlayedEngine, name: string): Promise<HeldRows> => {
  const id = await made.runIdOf(name)
  return holdRows(made, (tx) => tx.updateTable('runs').set({ updatedAt: 0 }).where('id', '=', id).execute())
}

/** Writes the steps after the digest last, when the digest has been entered or ended. */
const holdText = async (made: PlayedEngine, name: string): Promise<HeldRows> => {
  const runId = await made.runIdOf(name)
  return holdRows(made, (tx) =>
    tx.updateTable('jobs').set({ updatedAt: 0 }).where('runId', '=', runId).where('stepId', '=', 'text').execute(),
  )
}

const play = async (context: TestContext, names: readonly string[]) => {
  const made = await playEngine('postgres', context, { steps: [collect, text] })
  for (const name of names) {
    await made.play(name)
    made.clock.advance(1000)
  }
  const end = async () => {
    await made.advanceTo(made.clock.now() + 2 * hourMs)
    return made.messages()
  }
  return { ...made, end }
}

describe('concurrent changes of one digest, on postgres', () => {
  test('an event that is canceled together with the digest does not take over the digest', async (context) => {
    const made = await play(context, ['a', 'b', 'c'])
    const held = await holdRun(made, 'b')
    const event = made.cancel('b')
    await untilBlocked(made, 1)
    const digest = made.cancel('a')
    await untilBlocked(made, 2)
    await held.release()
    expect(await Promise.all([event, digest])).toEqual([true, true])
    expect(await made.statesOf('b')).toBe('canceled: canceled canceled')
    expect(await made.end()).toEqual([['c']])
  })

  test('an event that has taken over the digest passes it on when it is canceled', async (context) => {
    const made = await play(context, ['a', 'b', 'c'])
    const held = await holdRun(made, 'b')
    const digest = made.cancel('a')
    await untilBlocked(made, 1)
    const event = made.cancel('b')
    await untilBlocked(made, 2)
    await held.release()
    expect(await Promise.all([event, digest])).toEqual([true, true])
    expect(await made.statesOf('b')).toBe('canceled: canceled canceled')
    expect(await made.end()).toEqual([['c']])
  })

  test('an event that joins a digest during its cancellation takes it over', async (context) => {
    const made = await play(context, ['a'])
    const bridge = made.hold('b', 'collect')
    await made.begin('b')
    await bridge.asked
    const held = await holdText(made, 'b')
    bridge.answer()
    await untilBlocked(made, 1)
    const digest = made.cancel('a')
    await untilBlocked(made, 2)
    await held.release()
    expect(await digest).toBe(true)
    await made.drain()
    expect(await made.statesOf('b')).toBe('running: delayed pending')
    expect(await made.end()).toEqual([['b']])
  })

  test('an event that is canceled while the digest ends is not included', async (context) => {
    const made = await play(context, ['a', 'b'])
    const held = await holdText(made, 'b')
    const event = made.cancel('b')
    await untilBlocked(made, 1)
    made.clock.advance(2 * hourMs)
    const sweep = made.engine.sweep()
    await Promise.race([sweep, untilBlocked(made, 2)])
    await held.release()
    await sweep
    expect(await event).toBe(true)
    await made.drain()
    expect(await made.messages()).toEqual([['a']])
  })

  test('an event that is canceled while the digest is transferred is not included', async (context) => {
    const made = await play(context, ['a', 'b', 'c'])
    const held = await holdRun(made, 'c')
    const digest = made.cancel('a')
    await untilBlocked(made, 1)
    const event = made.cancel('c')
    await untilBlocked(made, 2)
    await held.release()
    expect(await Promise.all([event, digest])).toEqual([true, true])
    expect(await made.statesOf('c')).toBe('canceled: canceled canceled')
    expect(await made.end()).toEqual([['b']])
  })

  test('events are in the order of their triggers, not of their bridge calls', async (context) => {
    const made = await play(context, ['a', 'b', 'c'])
    const late = { calledAt: made.clock.now() + 1000 }
    // Simulates another process that is slow, or that waits until the bridge is available again.
    for (const name of ['a', 'b'])
      await made.store.db
        .updateTable('jobs')
        .set(late)
        .where('runId', '=', await made.runIdOf(name))
        .execute()
    expect(await made.end()).toEqual([['a', 'b', 'c']])
  })
})
