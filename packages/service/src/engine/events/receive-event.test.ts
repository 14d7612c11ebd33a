import { describe, expect, test, vi } from 'vitest'
import { findPayloadFaults } from '../../schemas/check-payload.ts'
import { createId } from '../../store/create-id.ts'
import { bothDrivers } from '../../store/stores.fixture.ts'
import { createLedEngine, type LedEngine } from '../next/led-runs.fixture.ts'
import { toEventHashes } from './event-keys.ts'

vi.mock('../../schemas/check-payload.ts', { spy: true })

const schema = { type: 'object', properties: { n: { type: 'number' } } }
const timeout = { amount: 1, unit: 'hours' }

const beginWait = async (testEngine: LedEngine) => {
  const run = await testEngine.play(({ step }) =>
    step('wait', 'wait_for_event', () => ({ event: 'ack', timeout, schema })),
  )
  vi.mocked(findPayloadFaults).mockClear()
  return run
}

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
  test('checks each event that it cannot receive once', async (context) => {
    const testEngine = await createLedEngine(driver, context)
    const { transactionId } = await beginWait(testEngine)
    for (let n = 0; n < 30; n++) {
      await emit(testEngine, { n: 'x' })
      await testEngine.drain()
    }
    expect(findPayloadFaults).toHaveBeenCalledTimes(30)
    const { lines } = await testEngine.runOf(transactionId)
    expect(lines.filter((line) => line.startsWith('Event was not received'))).toHaveLength(30)
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
