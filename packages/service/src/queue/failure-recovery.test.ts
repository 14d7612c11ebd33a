import { sql } from 'kysely'
import { describe, expect, type TestContext, test, vi } from 'vitest'
import { migrate } from '../store/migrate.ts'
import type { Session, Store } from '../store/store.ts'
import { bothDrivers, createDatabase, createStore } from '../store/stores.fixture.ts'
import { createQueue } from './create-queue.ts'
import type { Queue, QueueHandler } from './queue.ts'

const soon = { timeout: 8000, interval: 20 }
const hourMs = 3_600_000

const add = (store: Store, queue: Queue, ids: readonly string[]) =>
  store.transaction((tx) =>
    queue.add(
      tx,
      ids.map((id) => ({ kind: 'job', id, lane: 'e/lane' })),
    ),
  )

async function open(store: Store, context: TestContext): Promise<Queue> {
  const queue = createQueue(store, { pollMs: 50 })
  context.onTestFinished(() => queue.close())
  return queue
}

function work(queue: Queue, context: TestContext, handler: QueueHandler) {
  const worker = queue.work(handler, { concurrency: 4 })
  context.onTestFinished(() => worker.stop(100))
  return worker
}

/** Loses the reply of the next statement or transaction that takes work, after it was committed. */
function losingAnswers(store: Store) {
  const next = { isLost: false }
  const lose = <T>(result: T, rows: readonly unknown[]): T => {
    const isTake = rows.some((row) => typeof row === 'object' && row !== null && 'attempts' in row)
    if (!next.isLost || !isTake) return result
    next.isLost = false
    throw new Error('the answer is lost')
  }
  const db: Session = store.db.withPlugin({
    transformQuery: ({ node }) => node,
    transformResult: async ({ result }) => lose(result, result.rows),
  })
  const transaction: Store['transaction'] = async (run) => {
    const result = await store.transaction(run)
    return lose(result, Array.isArray(result) ? result : [])
  }
  return { next, store: { ...store, db, transaction } satisfies Store }
}

describe.each(bothDrivers)('queue on %s', (driver) => {
  test('dispatches items again if the response to their claim was lost', async (context) => {
    const { next, store } = losingAnswers(await createStore(driver, context))
    const queue = await open(store, context)
    await add(store, queue, ['a', 'b'])
    next.isLost = true
    const seen: string[] = []
    work(queue, context, async ({ id }) => {
      seen.push(id)
    })
    await vi.waitFor(() => expect(seen.sort()).toEqual(['a', 'b']), soon)
    await vi.waitFor(async () => expect(await queue.size()).toBe(0), soon)
  })

  test('keeps items in progress while it looks for such items', async (context) => {
    const { next, store } = losingAnswers(await createStore(driver, context))
    const queue = await open(store, context)
    await add(store, queue, ['long'])
    const seen: string[] = []
    work(queue, context, async ({ id }) => {
      seen.push(id)
      if (id === 'long') await new Promise((resolve) => setTimeout(resolve, 2500))
    })
    await vi.waitFor(() => expect(seen).toEqual(['long']), soon)
    next.isLost = true
    await add(store, queue, ['lost'])
    await vi.waitFor(() => expect(seen).toEqual(['long', 'lost']), soon)
    await vi.waitFor(async () => expect(await queue.size()).toBe(0), soon)
    expect(seen).toEqual(['long', 'lost'])
  })

  test('leaves items with a process whose heartbeats look old but continue', async (context) => {
    const database = await createDatabase(driver, context)
    const store = database.open()
    await migrate(store)
    const queue = await open(store, context)
    await add(store, queue, ['a'])
    const held = database.open()
    const other = await open(held, context)
    const worker = work(other, context, () => new Promise(() => undefined))
    await vi.waitFor(() => expect(worker.active()).toBe(1), soon)
    const [row] = await store.db.selectFrom('processes').select('id').execute()
    // Simulates a machine whose time was set forward between two heartbeats.
    const heartbeat = () =>
      store.db
        .updateTable('processes')
        .set(({ eb }) => ({ heartbeatAt: eb('heartbeatAt', '-', hourMs), host: 'another machine' }))
        .where('heartbeatAt', '>', Date.now() - hourMs / 2)
        .where('id', '=', row?.id ?? '')
        .execute()
    await heartbeat()
    const seen: string[] = []
    work(queue, context, async ({ id }) => {
      seen.push(id)
    })
    for (let count = 0; count < 40; count++) {
      await new Promise((resolve) => setTimeout(resolve, 50))
      await heartbeat()
    }
    expect(seen).toEqual([])
  })

  test('immediately dispatches items added before the time was set back, and still delays delayed ones', async (context) => {
    const store = await createStore(driver, context)
    const queue = await open(store, context)
    await add(store, queue, ['a'])
    await store.transaction((tx) =>
      queue.add(tx, [{ kind: 'job', id: 'delayed', lane: 'e/lane' }], { delayMs: hourMs / 2 }),
    )
    await sql`update "queueItems" set "dueAt" = "dueAt" + ${hourMs}, "createdAt" = "createdAt" + ${hourMs}`.execute(
      store.db,
    )
    const seen: string[] = []
    work(queue, context, async ({ id }) => {
      seen.push(id)
    })
    await vi.waitFor(() => expect(seen).toEqual(['a']), soon)
    await vi.waitFor(async () => expect(await queue.size()).toBe(1), soon)
  })

  test('continues if the time is set back while it works', async (context) => {
    const store = await createStore(driver, context)
    const queue = await open(store, context)
    const seen: string[] = []
    work(queue, context, async ({ id }) => {
      seen.push(id)
      if (seen.length === 1) throw new Error('again')
    })
    await add(store, queue, ['a'])
    await vi.waitFor(() => expect(seen).toEqual(['a']), soon)
    const { now } = Date
    const set = vi.spyOn(Date, 'now').mockImplementation(() => now() - hourMs)
    context.onTestFinished(() => set.mockRestore())
    await vi.waitFor(() => expect(seen).toEqual(['a', 'a']), soon)
  })
})
