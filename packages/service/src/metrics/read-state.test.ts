import { describe, expect, test, vi } from 'vitest'
import { createQueue } from '../queue/create-queue.ts'
import { createStore, drivers } from '../store/stores.fixture.ts'
import { createMetrics } from './metrics.ts'
import { createStateReader } from './read-state.ts'

describe.each(drivers)('database state (%s)', (driver) => {
  test('counts queue items by status, with the age of the oldest due item', async (context) => {
    const store = await createStore(driver, context)
    const queue = createQueue(store, { pollMs: 50 })
    context.onTestFinished(() => queue.close())
    const add = (ids: readonly string[], delayMs = 0) =>
      store.transaction((tx) =>
        queue.add(
          tx,
          ids.map((id) => ({ kind: 'job', id, lane: 'e/lane' })),
          { delayMs },
        ),
      )
    expect(await queue.state()).toEqual({ items: { due: 0, waiting: 0, active: 0 }, oldestDueMs: 0 })
    await add(['later'], 3_600_000)
    await add(['a', 'b'])
    await vi.waitFor(async () => expect((await queue.state()).oldestDueMs).toBeGreaterThan(5))
    expect((await queue.state()).items).toEqual({ due: 2, waiting: 1, active: 0 })
    const held = queue.work(() => new Promise(() => undefined), { concurrency: 1 })
    await vi.waitFor(async () => expect((await queue.state()).items).toEqual({ due: 1, waiting: 1, active: 1 }), 8000)
    expect(await createStateReader({ store, queue, now: Date.now })()).toMatchObject({
      items: { due: 1, waiting: 1, active: 1 },
      lateWaits: 0,
      oldestLateWaitMs: 0,
      processes: 1,
      pool: driver === 'postgres' ? { max: 10, waiting: 0 } : undefined,
    })
    await held.stop(1)
  })
})

test('counts waits as late ten seconds after they are due', async (context) => {
  const store = await createStore('sqlite', context)
  const queue = createQueue(store)
  const read = (now: number) => createStateReader({ store, queue, now: () => now })()
  await store.db
    .insertInto('jobs')
    .values({
      ...{ id: 'j', runId: 'r', environmentId: 'e', stepId: 's', type: 'delay', status: 'delayed', dueAt: 100_000 },
      ...{ position: 0, wave: 0, step: '{}', scheduleExtensions: 0, createdAt: 0, updatedAt: 0 },
    } as never)
    .execute()
  expect(await read(109_999)).toMatchObject({ lateWaits: 0, oldestLateWaitMs: 0 })
  expect(await read(130_000)).toMatchObject({ lateWaits: 1, oldestLateWaitMs: 30_000 })
})

test('shares one database read between scrapes', async () => {
  const state = vi.fn(async () => ({ items: { due: 0, waiting: 0, active: 0 }, oldestDueMs: 0 }))
  const fail = vi.fn(async () => {
    throw new Error('away')
  })
  const row = { executeTakeFirstOrThrow: async () => ({ count: 0, oldestMs: null }), where: () => row }
  const store = { db: { selectFrom: () => ({ select: () => row }) } } as never
  const read = createStateReader({ store, queue: { state }, now: Date.now })
  await Promise.all([read(), read()])
  await read()
  expect(state).toHaveBeenCalledTimes(1)
  const readFailing = createStateReader({ store, queue: { state: fail }, now: Date.now })
  for (let count = 0; count < 2; count++) await expect(readFailing()).rejects.toThrow('away')
  expect(fail).toHaveBeenCalledTimes(2)
})

test('shows no connections while the database is down', async () => {
  let isDown = false
  const state = {
    ...{ items: { due: 0, waiting: 0, active: 0 }, oldestDueMs: 0, lateWaits: 0, oldestLateWaitMs: 0, processes: 1 },
    pool: { used: 1, idle: 2, waiting: 0, max: 10 },
  }
  const metrics = createMetrics(() => (isDown ? Promise.reject(new Error('away')) : Promise.resolve(state)))
  expect(await metrics.read()).toContain('trestle_database_connections{state="idle"} 2')
  isDown = true
  expect(await metrics.read()).toContain('trestle_database_connections{state="idle"} Nan')
})

test('shows other metrics while the database is down', async () => {
  const metrics = createMetrics(() => Promise.reject(new Error('away')))
  metrics.observeBridgeCall({ status: 200, durationMs: 30 })
  const text = await metrics.read()
  expect(text).toContain('trestle_bridge_call_seconds_count{status="200"} 1')
  expect(text).toContain('trestle_database_up 0')
  expect(text).toContain('trestle_queue_items{state="due"} Nan')
})
