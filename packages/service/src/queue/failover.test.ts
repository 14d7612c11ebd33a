import { setTimeout as pause } from 'node:timers/promises'
import { describe, expect, test, vi } from 'vitest'
import { isNightly } from '../../../../test/scope.ts'
import { openProxy } from '../../../../test/service/database-proxy.ts'
import { openStore } from '../store/open-store.ts'
import { createDatabase } from '../store/stores.fixture.ts'
import { createQueue } from './create-queue.ts'

/** Longer than the silence after which a process counts as dead. */
const outageMs = isNightly ? 30_000 : 7_000
/** The delay between the reconnections of two processes. */
const laterMs = 3_000

describe.each([2, 3])('%i processes on a PostgreSQL server that is unavailable for a while', (count) => {
  test('do not declare each other dead, whichever reconnects first', {
    timeout: 60_000 + outageMs,
  }, async (context) => {
    const database = await createDatabase('postgres', context)
    const { databaseUrl: url = '' } = database.address
    const direct = database.open()
    const takeovers: unknown[] = []
    const seen: string[] = []
    let release = (): void => undefined
    const released = new Promise<void>((resolve) => {
      release = resolve
    })
    const processes = await Promise.all(
      Array.from({ length: count }, async () => {
        const proxy = await openProxy(url, context)
        const store = openStore({ databaseUrl: proxy.url, databaseFile: '' })
        const queue = createQueue(store, { onTakeover: (...args) => void takeovers.push(args) })
        const onError = () => undefined
        const handler = async ({ id }: { readonly id: string }): Promise<void> => {
          seen.push(id)
          await released
        }
        const worker = queue.work(handler, { concurrency: 5, onError })
        context.onTestFinished(async () => {
          proxy.restore()
          await worker.stop(0)
          await queue.close()
          await store.close()
        })
        return { proxy, worker }
      }),
    )
    const living = () => direct.db.selectFrom('processes').select('id').orderBy('id').execute()
    await vi.waitFor(async () => expect(await living()).toHaveLength(count), 20_000)
    // Simulates separate machines: no process can check whether the others are running.
    await direct.db
      .updateTable('processes')
      .set(({ ref }) => ({ host: ref('id') }))
      .execute()
    const ids = Array.from({ length: count * 5 }, (_, index) => `i${String(index).padStart(2, '0')}`)
    const queue = createQueue(direct)
    await direct.transaction((tx) =>
      queue.add(
        tx,
        ids.map((id) => ({ kind: 'job', id, lane: 'e/l' })),
      ),
    )
    await vi.waitFor(() => expect(seen.toSorted()).toEqual(ids), 20_000)
    const before = await living()
    await pause(1500)
    for (const { proxy } of processes) proxy.cut()
    await pause(outageMs)
    for (const { proxy } of processes) {
      proxy.restore()
      await pause(laterMs)
    }
    await pause(5000)
    expect(takeovers).toEqual([])
    expect(await living()).toEqual(before)
    release()
    await vi.waitFor(async () => expect(await queue.size()).toBe(0), 20_000)
    expect(seen.toSorted()).toEqual(ids)
  })
})
