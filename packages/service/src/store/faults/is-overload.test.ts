import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { toErrorReply } from '../../http/error-reply.ts'
import { openStore } from '../open-store.ts'
import { bothDrivers, createDatabase, createStore } from '../stores.fixture.ts'
import { isOverload, UnreachableStoreError } from './is-overload.ts'

const place = { path: '/v1/x', nowMs: 0 }

test('returns 503 with a retry time while the database is unavailable', async (context) => {
  const folder = mkdtempSync(join(tmpdir(), 'trestle-away-'))
  context.onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  const databaseUrl = `postgres://nobody@localhost/nothing?host=${encodeURIComponent(folder)}`
  const store = openStore({ databaseUrl, databaseFile: '' })
  context.onTestFinished(() => store.close())
  const error = await store.db
    .selectFrom('workflows')
    .selectAll()
    .execute()
    .catch((thrown: unknown) => thrown)
  const faults: unknown[] = []
  const reply = toErrorReply(error, place, (fault) => faults.push(fault))
  expect([reply.status, reply.headers['retry-after'], faults]).toEqual([503, '1', [error]])
  expect(JSON.parse(String(reply.body))).not.toHaveProperty('errorId')
})

test('returns 503 if PostgreSQL is too slow or read-only', async (context) => {
  const store = await createStore('postgres', context)
  const statusAfter = async (...statements: readonly string[]) => {
    const error = await store
      .transaction(async (tx) => {
        for (const statement of statements) await sql.raw(statement).execute(tx)
      })
      .catch((thrown: unknown) => thrown)
    return toErrorReply(error, place, () => undefined).status
  }
  expect(await statusAfter("set local statement_timeout = '20ms'", 'select pg_sleep(5)')).toBe(503)
  expect(await statusAfter('set transaction read only', `insert into "settings" values ('a', 'b')`)).toBe(503)
  expect(await statusAfter('select 1 from "nothing"')).toBe(500)
})

test('returns 503 if PostgreSQL accepts no connections', async (context) => {
  const { address } = await createDatabase('postgres', context)
  const url = new URL(address.databaseUrl ?? '')
  const name = url.pathname.slice(1)
  const first = openStore({ databaseUrl: url.href.replace(name, 'postgres'), databaseFile: '' })
  context.onTestFinished(() => first.close())
  await sql.raw(`alter database ${name} allow_connections false`).execute(first.db)
  const store = openStore(address)
  context.onTestFinished(() => store.close())
  const error = await sql`select 1`.execute(store.db).catch((thrown: unknown) => thrown)
  expect(toErrorReply(error, place, () => undefined).status).toBe(503)
})

test.each(['SQLITE_IOERR_WRITE', 'SQLITE_READONLY_DBMOVED', 'SQLITE_CANTOPEN'])(
  'returns 503 for the disk error %s',
  (code) => {
    expect(isOverload(Object.assign(new Error('away'), { code }))).toBe(true)
  },
)

test('returns 503 if the host name temporarily cannot be resolved', async (context) => {
  const store = openStore({ databaseUrl: 'postgres://nobody@nowhere.invalid/nothing', databaseFile: '' })
  context.onTestFinished(() => store.close())
  const error = await sql`select 1`.execute(store.db).catch((thrown: unknown) => thrown)
  expect(toErrorReply(error, place, () => undefined).status).toBe(503)
  expect(String(error)).toContain('nowhere.invalid')
})

test('returns 503 for a conflict that remains after all retries', async (context) => {
  const store = await createStore('postgres', context)
  const conflict = Object.assign(new Error('could not serialize access'), { code: '40001' })
  let attempts = 0
  const failed = store.serializable(async () => {
    attempts++
    throw conflict
  })
  const error = await failed.catch((thrown: unknown) => thrown)
  expect(attempts).toBeGreaterThan(6)
  expect(toErrorReply(error, place, () => undefined)).toMatchObject({ status: 503, headers: { 'retry-after': '1' } })
})

test.for(bothDrivers)('treats an invalid query as an internal error (%s)', async (driver, context) => {
  const database = await createDatabase(driver, context)
  const store = database.open()
  const error = await store.db
    .selectFrom('workflows')
    .selectAll()
    .execute()
    .catch((thrown: unknown) => thrown)
  expect(isOverload(error)).toBe(false)
  expect(toErrorReply(error, place, () => undefined).status).toBe(500)
})

test('returns 503 for a full disk, and continues pending work after space is freed', async (context) => {
  const store = await createStore('sqlite', context)
  const { rows } = await sql<{ readonly page_count: number }>`pragma page_count`.execute(store.db)
  await sql.raw(`pragma max_page_count = ${rows[0]?.page_count}`).execute(store.db)
  const put = (key: string) =>
    store.transaction((tx) =>
      tx
        .insertInto('settings')
        .values({ key, value: 'x'.repeat(100_000) })
        .execute(),
    )
  const error = await put('a').catch((thrown: unknown) => thrown)
  expect(error).toMatchObject({ code: 'SQLITE_FULL' })
  expect(toErrorReply(error, place, () => undefined)).toMatchObject({ status: 503, headers: { 'retry-after': '1' } })
  await sql`pragma max_page_count = 1000000`.execute(store.db)
  await put('b')
  expect(await store.db.selectFrom('settings').select('key').execute()).toEqual([{ key: 'b' }])
})

test('a connection that is cut while in use fails only its transaction', async (context) => {
  const database = await createDatabase('postgres', context)
  const [store, other] = [database.open(), database.open()]
  let served = 0
  const cut = store.transaction(async (tx) => {
    const { rows } = await sql<{ readonly pid: number }>`select pg_backend_pid() as pid`.execute(tx)
    await sql`select pg_terminate_backend(${rows[0]?.pid})`.execute(other.db)
    await new Promise((resolve) => setTimeout(resolve, 200))
    served++
    await sql`select 1`.execute(tx)
  })
  const error = await cut.catch((thrown: unknown) => thrown)
  expect(error).toBeInstanceOf(UnreachableStoreError)
  expect(served).toBe(1)
  expect((await sql`select 1 as one`.execute(store.db)).rows).toEqual([{ one: 1 }])
})
