import { sql } from 'kysely'
import { describe, expect, test } from 'vitest'
import type { Store } from '../store/store.ts'
import { bothDrivers, createStore } from '../store/stores.fixture.ts'
import { putItems } from './put-items.ts'
import { type Priority, priorities, type QueueItem } from './queue.ts'
import { createQueueDriver, takeStatement } from './queue-driver.ts'

const processId = 'p'
const join = ({ db }: Store, id = processId) =>
  db.insertInto('processes').values({ id, host: 'h', pid: 1, heartbeatAt: 1, info: '{}' }).execute()
const item = (id: string, priority?: Priority): QueueItem => ({
  kind: 'job',
  id,
  lane: 'e/l',
  ...(priority && { priority }),
})

describe.each(bothDrivers)("the queue's table on %s", (driver) => {
  test('returns items by priority, oldest first', async (context) => {
    const store = await createStore(driver, context)
    await join(store)
    const queueDriver = createQueueDriver(store)
    const add = (id: string, priority?: Priority) => putItems(store.db, [item(id, priority)], 0)
    await add('page', 'bulk')
    await add('trigger')
    await add('step', 'ongoing')
    await add('later step', 'ongoing')
    await putItems(store.db, [item('delayed', 'ongoing')], 60_000)
    const taken = [...(await queueDriver.take(3, processId)), ...(await queueDriver.take(3, processId))]
    expect(taken.map(({ id, priority }) => `${priority}: ${id}`)).toEqual([
      'ongoing: step',
      'ongoing: later step',
      'fresh: trigger',
      'bulk: page',
    ])
  })

  test('returns a bulk item after eight others, even under constant load', async (context) => {
    const store = await createStore(driver, context)
    await join(store)
    const queueDriver = createQueueDriver(store)
    const names = (prefix: string, count: number) => Array.from({ length: count }, (_, index) => `${prefix}${index}`)
    await putItems(
      store.db,
      names('page', 20).map((id) => item(id, 'bulk')),
      0,
    )
    const taken: string[] = []
    const take = async (max: number) => {
      // There are always more items than a batch takes.
      const items = names('step', max + 1).map((id) => item(id, 'ongoing'))
      await putItems(store.db, items, 0)
      for (const { priority } of await queueDriver.take(max, processId)) taken.push(priority ?? 'fresh')
    }
    for (let count = 0; count < 90; count++) await take(1)
    expect(taken.filter((priority) => priority === 'bulk')).toHaveLength(10)
    expect(taken.indexOf('bulk')).toBe(8)
    for (let count = 0; count < 2; count++) await take(36)
    expect(taken).toHaveLength(162)
    expect(taken.slice(90).filter((priority) => priority === 'bulk')).toHaveLength(4)
  })

  test('fills a batch with bulk items if there are few others', async (context) => {
    const store = await createStore(driver, context)
    await join(store)
    const queueDriver = createQueueDriver(store)
    const add = (count: number, priority: Priority) =>
      putItems(
        store.db,
        Array.from({ length: count }, (_, index) => item(`${priority} ${index}`, priority)),
        0,
      )
    await add(40, 'ongoing')
    await add(40, 'bulk')
    await queueDriver.take(36, processId)
    const taken = await queueDriver.take(20, processId)
    expect(taken.map(({ id }) => id)).toEqual([
      ...Array.from({ length: 4 }, (_, index) => `ongoing ${36 + index}`),
      ...Array.from({ length: 16 }, (_, index) => `bulk ${index}`),
    ])
  })

  test('reserves no share for bulk items that come later', async (context) => {
    const store = await createStore(driver, context)
    await join(store)
    const queueDriver = createQueueDriver(store)
    const add = (count: number, priority: Priority) =>
      putItems(
        store.db,
        Array.from({ length: count }, (_, index) => item(`${priority} ${index}`, priority)),
        0,
      )
    await add(300, 'ongoing')
    for (let count = 0; count < 10; count++) await queueDriver.take(10, processId)
    await add(50, 'bulk')
    const taken = await queueDriver.take(30, processId)
    expect(taken.filter(({ priority }) => priority === 'bulk').length).toBeLessThan(4)
  })

  test('keeps priority and attempts of requeued items, and of those of a dead process', async (context) => {
    const store = await createStore(driver, context)
    await join(store)
    const queueDriver = createQueueDriver(store)
    await putItems(store.db, [item('a', 'bulk')], 0)
    const [first] = await queueDriver.take(1, processId)
    if (first) await queueDriver.requeue(first, 0)
    await queueDriver.take(1, processId)
    await store.db.deleteFrom('processes').execute()
    expect(await store.transaction((tx) => queueDriver.reclaim(tx))).toBe(1)
    await join(store, 'other')
    expect(await queueDriver.take(1, 'other')).toMatchObject([{ id: 'a', priority: 'bulk', attempts: 3 }])
  })

  test('returns nothing to a process that was declared dead', async (context) => {
    const store = await createStore(driver, context)
    await putItems(store.db, [item('a')], 0)
    expect(await createQueueDriver(store).take(1, processId)).toEqual([])
    await join(store)
    expect(await createQueueDriver(store).take(1, processId)).toMatchObject([{ id: 'a', attempts: 1 }])
  })

  test.for(['before', 'after'])('is read through its index at any length: %s counted rows', async (when, context) => {
    const store = await createStore(driver, context)
    await join(store)
    for (const priority of priorities) {
      const items = Array.from({ length: 7000 }, (_, index) => item(`${index}`, priority))
      await putItems(store.db, items, 0)
      await putItems(store.db, items, 60_000)
    }
    await createQueueDriver(store).take(64, processId)
    if (when === 'after') await sql`analyze`.execute(store.db)
    const explain = driver === 'postgres' ? sql`explain` : sql`explain query plan`
    const statement = takeStatement(driver, { max: 64, processId })
    const { rows } = await sql<Record<string, unknown>>`${explain} ${statement}`.execute(store.db)
    const plan = rows.map((row) => row['QUERY PLAN'] ?? row['detail']).join('\n')
    expect(plan.match(/queueItems_due/g)).toHaveLength(3)
    expect(plan).not.toMatch(/Sort|TEMP B-TREE|Seq Scan on "?queueItems|SCAN queueItems/)
  })
})
