import { sql } from 'kysely'
import { describe, expect, type TestContext, test, vi } from 'vitest'
import { UnstorableValueError } from '../store/check-parameter.ts'
import { migrate } from '../store/migrate.ts'
import type { Store } from '../store/store.ts'
import { bothDrivers, createDatabase, createStore } from '../store/stores.fixture.ts'
import { createQueue, type QueueOptions } from './create-queue.ts'
import type { Queue, QueueHandler, QueueItem, WorkOptions } from './queue.ts'
import { createSignalChannel } from './signal-channel.ts'

const item = (id: string): QueueItem => ({ kind: 'job', id, lane: 'e/lane' })
const add = (store: Store, queue: Queue, ids: readonly string[], delayMs = 0) =>
  store.transaction((tx) => queue.add(tx, ids.map(item), { delayMs }))
const soon = { timeout: 8000, interval: 20 }

async function open(store: Store, context: TestContext, options: QueueOptions = {}): Promise<Queue> {
  const queue = createQueue(store, { pollMs: 50, ...options })
  context.onTestFinished(() => queue.close())
  return queue
}

function work(queue: Queue, context: TestContext, handler: QueueHandler, options: Partial<WorkOptions> = {}) {
  const worker = queue.work(handler, { concurrency: 4, ...options })
  context.onTestFinished(() => worker.stop(100))
  return worker
}

/** A store whose database can become unavailable. */
async function createUnsteady(driver: (typeof bothDrivers)[number], context: TestContext) {
  const store = await createStore(driver, context)
  const outage = { isOn: false }
  const check = (): void => {
    if (outage.isOn) throw new Error('away')
  }
  const unsteady: Store = {
    ...store,
    get db() {
      check()
      return store.db
    },
    async transaction(run) {
      check()
      return await store.transaction(run)
    },
  }
  return { store: unsteady, outage }
}

describe.each(bothDrivers)('queue on %s', (driver) => {
  test('dispatches each item once, in order', async (context) => {
    const store = await createStore(driver, context)
    const queue = await open(store, context)
    const ids = Array.from({ length: 40 }, (_, index) => `i${index}`)
    for (const id of ids) await add(store, queue, [id])
    const seen: string[] = []
    work(
      queue,
      context,
      async ({ id, kind, lane, attempts }) => {
        expect({ kind, lane, attempts }).toEqual({ kind: 'job', lane: 'e/lane', attempts: 1 })
        seen.push(id)
      },
      { concurrency: 1 },
    )
    await vi.waitFor(() => expect(seen).toEqual(ids), soon)
    await vi.waitFor(async () => expect(await queue.size()).toBe(0), soon)
  })

  test('retries an item that could not be requeued while the database was unavailable', async (context) => {
    const { store, outage } = await createUnsteady(driver, context)
    const queue = await open(store, context)
    await add(store, queue, ['a'])
    const attempts: number[] = []
    work(queue, context, async (taken) => {
      attempts.push(taken.attempts)
      if (attempts.length > 1) return
      outage.isOn = true
      setTimeout(() => {
        outage.isOn = false
      }, 1200)
      throw new Error('away')
    })
    await vi.waitFor(() => expect(attempts).toEqual([1, 2]), soon)
    await vi.waitFor(async () => expect(await queue.size()).toBe(0), soon)
  })

  test('requeues such an item when it stops', async (context) => {
    const { store, outage } = await createUnsteady(driver, context)
    const queue = await open(store, context)
    await add(store, queue, ['a'])
    const faults: unknown[] = []
    const onError = (error: unknown): void => void faults.push(error)
    const failing: QueueHandler = () => {
      outage.isOn = true
      return Promise.reject(new Error('failed'))
    }
    const worker = work(queue, context, failing, { onError })
    const isHeldUp = (): boolean => faults.length > 1 && String(faults[0]) === 'Error: failed'
    await vi.waitFor(() => expect(isHeldUp()).toBe(true), soon)
    outage.isOn = false
    await worker.stop(1000)
    const attempts: number[] = []
    work(queue, context, async (taken) => void attempts.push(taken.attempts))
    await vi.waitFor(() => expect(attempts).toEqual([2]), soon)
  })

  test('stores no items of a failed transaction', async (context) => {
    const store = await createStore(driver, context)
    const queue = await open(store, context)
    await store
      .transaction(async (tx) => {
        await queue.add(tx, [item('a')])
        throw new Error('no')
      })
      .catch(() => undefined)
    expect(await queue.size()).toBe(0)
  })

  test('stores rows together with their items, atomically', async (context) => {
    const store = await createStore(driver, context)
    const queue = await open(store, context)
    const row = (key: string) => ({ key, value: `"it's" \\ é 😀 {"a":null}\n${key}` })
    const ids = Array.from({ length: 450 }, (_, index) => `k${String(index).padStart(3, '0')}`)
    await queue.addWith('settings', ids.map(row), ids.map(item))
    await queue.addWith('settings', [], [])
    const rows = () => store.db.selectFrom('settings').selectAll().orderBy('key').execute()
    expect(await rows()).toEqual(ids.map(row))
    expect(await queue.size()).toBe(450)
    // One row already exists; the other one cannot be stored unchanged.
    await expect(queue.addWith('settings', [row('new'), row('k000')], [item('new')])).rejects.toThrow()
    const zero = { key: 'zero', value: 'a\0b' }
    await expect(queue.addWith('settings', [row('new'), zero], [item('new')])).rejects.toThrow(UnstorableValueError)
    expect([(await rows()).length, await queue.size()]).toEqual([450, 450])
  })

  test('starts added items immediately, without waiting for the next poll', async (context) => {
    const store = await createStore(driver, context)
    const queue = createQueue(store, { pollMs: 60_000 })
    context.onTestFinished(() => queue.close())
    const seen: string[] = []
    work(queue, context, async ({ id }) => {
      seen.push(id)
      if (id === 'a') await add(store, queue, ['b'])
    })
    await new Promise((resolve) => setTimeout(resolve, 300))
    await add(store, queue, ['a'])
    await vi.waitFor(() => expect(seen).toEqual(['a', 'b']), { timeout: 3000, interval: 10 })
  })

  test('waits for the delay of an item', async (context) => {
    const store = await createStore(driver, context)
    const queue = await open(store, context)
    const startMs = Date.now()
    await add(store, queue, ['later'], 700)
    await add(store, queue, ['now'])
    const seen: [string, number][] = []
    work(queue, context, async ({ id }) => {
      seen.push([id, Date.now() - startMs])
    })
    await vi.waitFor(() => expect(seen.map(([id]) => id)).toEqual(['now', 'later']), soon)
    expect(seen[1]?.[1]).toBeGreaterThanOrEqual(690)
  })

  test('retries an item whose handler rejects, with increasing delays', async (context) => {
    const store = await createStore(driver, context)
    const queue = await open(store, context)
    await add(store, queue, ['a'])
    const seen: [number, number][] = []
    const errors: unknown[] = []
    work(
      queue,
      context,
      async ({ attempts }) => {
        seen.push([attempts, Date.now()])
        if (attempts < 3) throw new Error(`attempt ${attempts}`)
      },
      { onError: (error, about) => errors.push([String(error), about?.id]) },
    )
    await vi.waitFor(() => expect(seen.map(([attempts]) => attempts)).toEqual([1, 2, 3]), soon)
    const [first = [0, 0], second = [0, 0], third = [0, 0]] = seen
    expect(second[1] - first[1]).toBeGreaterThan(400)
    expect(third[1] - second[1]).toBeGreaterThan(900)
    expect(errors).toEqual([
      ['Error: attempt 1', 'a'],
      ['Error: attempt 2', 'a'],
    ])
  })

  test('removes an item in the transaction of its handler, or not at all', async (context) => {
    const store = await createStore(driver, context)
    const queue = await open(store, context)
    await add(store, queue, ['a'])
    let count = 0
    work(queue, context, async (taken) => {
      count++
      await store.transaction(async (tx) => {
        await taken.complete(tx)
        if (count === 1) throw new Error('lost')
      })
      expect(await queue.size()).toBe(0)
    })
    await vi.waitFor(() => expect(count).toBe(2), soon)
    await vi.waitFor(async () => expect(await queue.size()).toBe(0), soon)
  })

  test('limits the number of items processed concurrently', async (context) => {
    const store = await createStore(driver, context)
    const queue = await open(store, context)
    let active = 0
    let most = 0
    let done = 0
    await add(
      store,
      queue,
      Array.from({ length: 30 }, (_, index) => `i${index}`),
    )
    work(
      queue,
      context,
      async () => {
        most = Math.max(most, ++active)
        await new Promise((resolve) => setTimeout(resolve, 20))
        active--
        done++
      },
      { concurrency: 5 },
    )
    await vi.waitFor(() => expect(done).toBe(30), soon)
    expect(most).toBe(5)
  })

  test('distributes its items across two stores, each item once', async (context) => {
    const database = await createDatabase(driver, context)
    const stores = [database.open(), database.open()]
    const [store] = stores as [Store]
    await migrate(store)
    const queues = await Promise.all(stores.map((each) => open(each, context)))
    const ids = Array.from({ length: 200 }, (_, index) => `i${index}`)
    const seen = queues.map((): string[] => [])
    queues.forEach((queue, index) => {
      work(queue, context, async ({ id }) => {
        seen[index]?.push(id)
        await new Promise((resolve) => setTimeout(resolve, 5))
      })
    })
    await add(store, queues[0] as Queue, ids)
    await vi.waitFor(() => expect(seen.flat().length).toBeGreaterThanOrEqual(200), soon)
    expect([...seen.flat()].sort()).toEqual([...ids].sort())
    expect(seen.every((mine) => mine.length > 10)).toBe(true)
  })

  test('does not change an item that another process has taken over', async (context) => {
    const store = await createStore(driver, context)
    const queue = await open(store, context)
    let release = (): void => undefined
    const begun = new Promise<void>((resolve) => {
      work(queue, context, () => {
        resolve()
        return new Promise((end) => {
          release = end
        })
      })
    })
    await add(store, queue, ['a'])
    await begun
    const other = { id: 'other', host: 'elsewhere', pid: 1, heartbeatAt: Date.now() + 3_600_000, info: '{}' }
    await store.db.insertInto('processes').values(other).execute()
    await store.db.updateTable('queueItems').set({ processId: other.id }).execute()
    release()
    await new Promise((resolve) => setTimeout(resolve, 100))
    expect(await queue.size()).toBe(1)
  })

  test('finishes started items when it stops, and requeues slow ones', async (context) => {
    const store = await createStore(driver, context)
    const queue = await open(store, context)
    await add(store, queue, ['short', 'long'])
    const ended: string[] = []
    let release: () => void = () => undefined
    const worker = queue.work(
      async ({ id }) => {
        await new Promise<void>((resolve) => {
          if (id === 'short') setTimeout(resolve, 100)
          else release = resolve
        })
        ended.push(id)
      },
      { concurrency: 4 },
    )
    await vi.waitFor(() => expect(worker.active()).toBe(2), soon)
    await worker.stop(400)
    expect(ended).toEqual(['short'])
    expect(await queue.size()).toBe(1)
    const again: string[] = []
    work(queue, context, async ({ id }) => {
      again.push(id)
    })
    await vi.waitFor(() => expect(again).toEqual(['long']), soon)
    release()
  })

  test('requeues the items of a process without heartbeats', async (context) => {
    const database = await createDatabase(driver, context)
    const store = database.open()
    await migrate(store)
    const dead = await open(store, context)
    const reached: string[] = []
    // Its handler never returns, and its heartbeat is removed, as if another machine were lost.
    const held = dead.work(({ id }) => new Promise(() => reached.push(id)), { concurrency: 4 })
    await add(store, dead, ['a'])
    await vi.waitFor(() => expect(reached).toEqual(['a']), soon)
    const [row] = await store.db.selectFrom('processes').selectAll().execute()
    const stopped = held.stop(60_000)
    await new Promise((resolve) => setTimeout(resolve, 50))
    await store.db
      .updateTable('processes')
      .set({ heartbeatAt: (row?.heartbeatAt ?? 0) - 60_000, host: 'another machine' })
      .execute()
    const seen: [string, number][] = []
    const onTakeover = vi.fn()
    const other = await open(database.open(), context, { onTakeover })
    work(other, context, async ({ id, attempts }) => {
      seen.push([id, attempts])
    })
    await vi.waitFor(() => expect(seen.map(([id]) => id)).toEqual(['a']), soon)
    expect(onTakeover.mock.calls).toEqual([[[{ id: row?.id, pid: process.pid, cause: 'silent' }], 1]])
    void stopped
  })
})

test('a queue on postgres is notified immediately of items from another process, and wakes no other process for its own items', async (context) => {
  const database = await createDatabase('postgres', context)
  const [one, other] = [database.open(), database.open()]
  const signals: unknown[] = []
  const listening = createSignalChannel({
    ...{
      name: 'trestle_queue',
      db: one.db,
      databaseUrl: one.databaseUrl ?? '',
      onError: (error) => signals.push(error),
    },
    ...{ onSignal: (word) => signals.push(word), onReconnect: () => signals.push('ready') },
  })
  listening.listen()
  context.onTestFinished(() => listening.close())
  const [adding, working] = [one, other].map((store) => createQueue(store, { pollMs: 600_000 })) as [Queue, Queue]
  context.onTestFinished(() => Promise.all([adding.close(), working.close()]).then(() => undefined))
  const seen: string[] = []
  work(working, context, async ({ id }) => void seen.push(id), { concurrency: 4 })
  const listeners = () =>
    sql`select 1 from pg_stat_activity where query = 'listen trestle_queue' and datname = current_database()`.execute(
      one.db,
    )
  await vi.waitFor(async () => expect((await listeners()).rows.length).toBeGreaterThan(1), soon)
  await add(one, adding, ['a'])
  await vi.waitFor(() => expect(seen).toEqual(['a']), soon)
  await vi.waitFor(() => expect(signals).toEqual(['ready', 'work']), soon)
  await add(other, working, ['b'])
  await vi.waitFor(() => expect(seen).toEqual(['a', 'b']), soon)
  await add(other, working, ['c', 'd', 'e', 'f', 'g'])
  await vi.waitFor(() => expect(seen).toHaveLength(7), soon)
  await vi.waitFor(() => expect(signals).toEqual(['ready', 'work', 'work']), soon)
})
