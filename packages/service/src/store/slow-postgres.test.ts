import { type AddressInfo, connect, createServer, type Socket } from 'node:net'
import { sql } from 'kysely'
import { expect, type TestContext, test } from 'vitest'
import { startService } from '../start/start-service.ts'
import { isOverload } from './faults/is-overload.ts'
import { openPostgresStore } from './postgres-store.ts'
import { createDatabase } from './stores.fixture.ts'

/** A proxy to a PostgreSQL server that can stop responding, as in a network failure. */
async function createSilentWay(context: TestContext) {
  const { address } = await createDatabase('postgres', context)
  const url = new URL(address.databaseUrl ?? '')
  const socket = `${url.searchParams.get('host')}/.s.PGSQL.5432`
  const sockets = new Set<Socket>()
  const cut = (): void => {
    for (const one of sockets) one.destroy()
  }
  const way = { isSilent: false, url: '', cut }
  const server = createServer((near) => {
    const far = connect(socket)
    for (const one of [near, far]) sockets.add(one.on('error', () => undefined))
    near.on('data', (data) => way.isSilent || far.write(data))
    far.on('data', (data) => way.isSilent || near.write(data))
    near.on('close', () => far.destroy())
    far.on('close', () => near.destroy())
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  context.onTestFinished(() => {
    cut()
    server.close()
  })
  way.url = `postgres://postgres@127.0.0.1:${(server.address() as AddressInfo).port}${url.pathname}`
  return way
}

test('treats an unresponsive PostgreSQL server as unavailable, and recovers when it responds', async (context) => {
  const way = await createSilentWay(context)
  const store = openPostgresStore(way.url, { maxConnections: 1, patienceMs: 400 })
  context.onTestFinished(() => store.close())
  const ask = () => sql<{ n: number }>`select 1 as n`.execute(store.db)
  expect((await ask()).rows).toEqual([{ n: 1 }])
  way.isSilent = true
  const errors = await Promise.all(Array.from({ length: 3 }, () => ask().catch((error: unknown) => error)))
  expect(errors.map(isOverload)).toEqual([true, true, true])
  const failed = await store.transaction(() => Promise.resolve(1)).catch((error: unknown) => error)
  expect(isOverload(failed)).toBe(true)
  way.isSilent = false
  await expect.poll(async () => (await ask().catch(() => ({ rows: [] }))).rows, { timeout: 30_000 }).toEqual([{ n: 1 }])
})

test('reports a read-only PostgreSQL server in the health check', async (context) => {
  const { address } = await createDatabase('postgres', context)
  const encryptionKey = 'a'.repeat(64)
  const service = await startService({ port: 0, ...address, encryptionKey, logLevel: 'silent', work: false })
  context.onTestFinished(() => service.stop())
  const store = openPostgresStore(address.databaseUrl ?? '', { maxConnections: 1 })
  context.onTestFinished(() => store.close())
  const health = async () => (await fetch(`${service.url}/health`)).status
  expect(await health()).toBe(200)
  const name = new URL(address.databaseUrl ?? '').pathname.slice(1)
  for (const isReadOnly of ['on', 'off']) {
    await sql`alter database ${sql.ref(name)} set default_transaction_read_only = ${sql.raw(isReadOnly)}`.execute(
      store.db,
    )
    await sql`select pg_terminate_backend(pid) from pg_stat_activity
      where datname = current_database() and pid <> pg_backend_pid()`.execute(store.db)
    await expect.poll(health, { timeout: 30_000 }).toBe(isReadOnly === 'on' ? 503 : 200)
  }
})

test('responds to health checks in time while the database does not respond', async (context) => {
  const way = await createSilentWay(context)
  const encryptionKey = 'a'.repeat(64)
  const service = await startService({ port: 0, databaseUrl: way.url, encryptionKey, logLevel: 'silent', work: false })
  expect((await fetch(`${service.url}/health`)).status).toBe(200)
  way.isSilent = true
  const startMs = performance.now()
  // The previous response is cached for a second.
  await expect.poll(async () => (await fetch(`${service.url}/health`)).status, { timeout: 15_000 }).toBe(503)
  expect(performance.now() - startMs).toBeLessThan(8000)
  way.isSilent = false
  way.cut()
  await service.stop()
})
