import { mkdtempSync, rmSync } from 'node:fs'
import { connect, createServer, type Socket } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { describe, expect, type TestContext, test, vi } from 'vitest'
import { isNightly } from '../../../../test/scope.ts'
import { openStore } from '../store/open-store.ts'
import { createDatabase } from '../store/stores.fixture.ts'
import { createQueue } from './create-queue.ts'

const socketFile = '.s.PGSQL.5432'
/** Longer than the silence after which a process counts as dead. */
const outageMs = isNightly ? 30_000 : 7_000
/** The delay between the reconnections of two processes. */
const laterMs = 3_000

/** A proxy to the database that can be disconnected. */
async function openWay(folder: string, context: TestContext) {
  const own = mkdtempSync(join(tmpdir(), 'trestle-way-'))
  const sockets = new Set<Socket>()
  let isCut = false
  const server = createServer((from) => {
    if (isCut) return from.destroy()
    const to = connect(join(folder, socketFile))
    for (const [one, other] of [
      [from, to],
      [to, from],
    ] as const) {
      sockets.add(one)
      one.pipe(other)
      one.on('error', () => other.destroy())
      one.on('close', () => sockets.delete(one))
    }
  })
  await new Promise<void>((resolve) => server.listen(join(own, socketFile), resolve))
  const cut = (): void => {
    isCut = true
    for (const socket of sockets) socket.destroy()
  }
  context.onTestFinished(() => {
    cut()
    server.close()
    rmSync(own, { recursive: true, force: true })
  })
  return {
    folder: own,
    cut,
    restore: () => {
      isCut = false
    },
  }
}

describe.each([2, 3])('%i processes on a PostgreSQL server that is unavailable for a while', (count) => {
  test('do not declare each other dead, whichever reconnects first', {
    timeout: 60_000 + outageMs,
  }, async (context) => {
    const database = await createDatabase('postgres', context)
    const url = new URL(database.address.databaseUrl ?? '')
    const folder = url.searchParams.get('host') ?? ''
    const direct = database.open()
    const takeovers: unknown[] = []
    const seen: string[] = []
    let release = (): void => undefined
    const released = new Promise<void>((resolve) => {
      release = resolve
    })
    const processes = await Promise.all(
      Array.from({ length: count }, async () => {
        const way = await openWay(folder, context)
        url.searchParams.set('host', way.folder)
        const store = openStore({ databaseUrl: url.href, databaseFile: '' })
        const queue = createQueue(store, { onTakeover: (...args) => void takeovers.push(args) })
        const onError = () => undefined
        const handler = async ({ id }: { readonly id: string }): Promise<void> => {
          seen.push(id)
          await released
        }
        const worker = queue.work(handler, { concurrency: 5, onError })
        context.onTestFinished(async () => {
          way.restore()
          await worker.stop(0)
          await queue.close()
          await store.close()
        })
        return { way, worker }
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
        ids.map((id) => ({ kind: 'job', id, lane: 'l' })),
      ),
    )
    await vi.waitFor(() => expect(seen.toSorted()).toEqual(ids), 20_000)
    const before = await living()
    await pause(1500)
    for (const { way } of processes) way.cut()
    await pause(outageMs)
    for (const { way } of processes) {
      way.restore()
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
