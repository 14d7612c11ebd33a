import { describe, expect, test } from 'vitest'
import { createId } from '../../store/create-id.ts'
import { bothDrivers } from '../../store/stores.fixture.ts'
import { createLedEngine, type LedEngine } from '../next/led-runs.fixture.ts'
import { toEventHashes } from './event-keys.ts'

const schema = { type: 'object', properties: { n: { type: 'number' } } }
const timeout = { amount: 1, unit: 'hours' }

const beginWait = (testEngine: LedEngine) =>
  testEngine.play(({ step }) => step('wait', 'wait_for_event', () => ({ event: 'ack', timeout, schema })))

const emit = ({ engine, target: { environmentId } }: LedEngine, payload: object) =>
  engine.emit({ environmentId, name: 'ack', payload: { ...payload } })

/** Stores an event that has reached all runs that waited at the time. */
const storeEarlier = ({ store, target: { environmentId }, clock }: LedEngine, payload: string) =>
  store.db
    .insertInto('emittedEvents')
    .values({
      ...{ id: createId(0), environmentId, name: 'ack', payload, recipient: null },
      ...{ keys: toEventHashes('ack', {}).join('|'), status: 'done', cursor: null, createdAt: clock.now() },
    })
    .execute()

const receivedBy = async ({ store }: LedEngine) =>
  JSON.parse((await store.db.selectFrom('jobs').select('result').executeTakeFirstOrThrow()).result ?? 'null')

describe.each(bothDrivers)('a step that waits for an event, on %s,', (driver) => {
  test('reads an event that it cannot receive once', async (context) => {
    const faults: unknown[] = []
    const testEngine = await createLedEngine(driver, context, { faults })
    const { transactionId } = await beginWait(testEngine)
    const emitted = testEngine.store.db.selectFrom('emittedEvents').select('id')
    for (const n of ['x', 'y', 'z', 1]) {
      await emit(testEngine, { n })
      while (faults.length === 0 && (await emitted.where('status', '=', 'open').executeTakeFirst()))
        await new Promise((resolve) => setTimeout(resolve, 2))
      // Reading the event again would fail.
      await testEngine.store.db.updateTable('emittedEvents').set({ payload: '{' }).execute()
    }
    expect(faults).toEqual([])
    const { lines } = await testEngine.runOf(transactionId)
    expect(lines.filter((line) => line.startsWith('Event was not received'))).toHaveLength(3)
    expect(await receivedBy(testEngine)).toEqual({ received: true, payload: { n: 1 } })
  })

  test('receives the oldest of several events that have not reached it yet', async (context) => {
    const testEngine = await createLedEngine(driver, context)
    await beginWait(testEngine)
    await storeEarlier(testEngine, '{"n":"x"}')
    await storeEarlier(testEngine, '{"n":1}')
    await testEngine.store.db.updateTable('emittedEvents').set({ status: 'open' }).execute()
    await emit(testEngine, { n: 2 })
    await testEngine.drain()
    expect(await receivedBy(testEngine)).toEqual({ received: true, payload: { n: 1 } })
  })

  test('receives an earlier event first if it has not looked for them yet', async (context) => {
    const testEngine = await createLedEngine(driver, context)
    await beginWait(testEngine)
    await storeEarlier(testEngine, '{"n":1}')
    const { id } = await testEngine.store.db.selectFrom('jobs').select('id').executeTakeFirstOrThrow()
    const work = { kind: 'look-back', id, lane: 'e/l' } as const
    await testEngine.store.transaction((tx) => testEngine.queue.add(tx, [work], { delayMs: 60_000 }))
    await emit(testEngine, { n: 2 })
    while ((await receivedBy(testEngine)) === null) await new Promise((resolve) => setTimeout(resolve, 2))
    expect(await receivedBy(testEngine)).toEqual({ received: true, payload: { n: 1 } })
  })
})
