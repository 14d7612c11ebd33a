import { describe, expect, test } from 'vitest'
import type { Store } from '../../store/store.ts'
import { bothDrivers } from '../../store/stores.fixture.ts'
import type { TestStep } from '../engine-rows.fixture.ts'
import { createGate, createLedEngine } from '../next/led-runs.fixture.ts'
import { playEngine } from '../played-engine.fixture.ts'
import type { EnginePorts } from '../port/engine-ports.ts'
import { cancelTransaction } from './cancel-transaction.ts'

const hourMs = 3_600_000
const collect: TestStep = { stepId: 'collect', type: 'digest' }
const wait: TestStep = { stepId: 'wait', type: 'delay' }
const text: TestStep = { stepId: 'text', type: 'sms' }

/** A store whose process ends before the transaction with this number. */
function endBefore(store: Store, number: number): Store {
  let count = 0
  return {
    ...store,
    transaction: (work) => (++count < number ? store.transaction(work) : Promise.reject(new Error('crash'))),
  }
}

describe.each(bothDrivers)('a transaction with many runs, on %s,', (driver) => {
  test('is canceled page by page, also if the process ends after the first step', async (context) => {
    const testEngine = await playEngine(driver, context, { steps: [wait, text] })
    const { store, target } = testEngine
    const count = 201
    const to = Array.from({ length: count }, (_, index) => `s${index}`)
    await testEngine.trigger({ name: 'w', to, payload: {}, transactionId: 'many' })
    await testEngine.drain()
    const named = { environmentId: target.environmentId, transactionId: 'many', who: 'a key' }
    const ports = { ...testEngine, store: endBefore(store, 2) } as unknown as EnginePorts
    await expect(cancelTransaction(ports, named)).rejects.toThrow('crash')
    await testEngine.drain()
    const runs = await store.db.selectFrom('runs').select('status').execute()
    expect(runs.filter(({ status }) => status === 'canceled')).toHaveLength(count)
    const lines = await store.db
      .selectFrom('executionDetails')
      .select('raw')
      .where('raw', 'like', '%a key%')
      .groupBy('raw')
      .execute()
    expect(lines).toEqual([{ raw: JSON.stringify({ by: 'api', who: 'a key' }) }])
    expect(await testEngine.cancel('many')).toBe(false)
  })

  test('leaves runs alone that a closed digest has merged', async (context) => {
    const testEngine = await playEngine(driver, context, { steps: [collect, text] })
    const { store, engine, target } = testEngine
    for (const name of ['a', 'b']) await testEngine.play(name)
    const find = () =>
      store.db.selectFrom('runs').select(['subscriberId', 'status', 'sequence']).orderBy('id').execute()
    await testEngine.advanceTo(testEngine.clock.now() + 2 * hourMs)
    const before = await find()
    expect(before.map(({ status }) => status)).toEqual(['completed', 'merged'])
    expect(await testEngine.cancel('b')).toBe(false)
    const subscriberRowId = before[0]?.subscriberId ?? ''
    await engine.cancelRecipient({ environmentId: target.environmentId, subscriberRowId })
    expect(await find()).toEqual(before)
  })
})

describe.each(bothDrivers)('a step in flight for a deleted subscriber, on %s,', (driver) => {
  const findSubscriber = async ({ db }: Store) =>
    (await db.selectFrom('subscribers').select('id').executeTakeFirstOrThrow()).id

  test('sends nothing if its step was planned', async (context) => {
    const testEngine = await playEngine(driver, context, { steps: [text, wait] })
    const held = testEngine.hold('a', 'text')
    await testEngine.begin('a')
    await held.asked
    const { environmentId } = testEngine.target
    const subscriberRowId = await findSubscriber(testEngine.store)
    await testEngine.engine.cancelRecipient({ environmentId, subscriberRowId })
    held.answer()
    await testEngine.drain()
    expect(await testEngine.statesOf('a')).toBe('canceled: canceled canceled')
    expect(await testEngine.messages()).toEqual([])
  })

  test.for([false, true])('sends nothing if its bridge decides, canceled before: %s', async (isCanceled, context) => {
    const testEngine = await createLedEngine(driver, context)
    const [entered, gate] = [createGate(), createGate()]
    const name = await testEngine.add(async ({ step }) => {
      await step('text', 'sms', async () => {
        entered.open()
        await gate.opened
        return { body: 'b' }
      })
    })
    const id = await testEngine.begin(name)
    await entered.opened
    if (isCanceled) expect(await testEngine.cancel(id)).toBe(true)
    const { environmentId } = testEngine.target
    const subscriberRowId = await findSubscriber(testEngine.store)
    await testEngine.engine.cancelRecipient({ environmentId, subscriberRowId })
    expect((await testEngine.runOf(id)).status).toBe('canceled')
    gate.open()
    await testEngine.drain()
    expect(await testEngine.store.db.selectFrom('messages').select('id').execute()).toEqual([])
    expect(await testEngine.runOf(id)).toMatchObject({ status: 'canceled', steps: '' })
  })
})
