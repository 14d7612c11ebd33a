import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { startTestService } from './service.fixture.ts'

test('/health fails while nothing can be written, although everything can be read', async (context) => {
  const { service, call } = await startTestService('sqlite', context)
  const { db } = service.store
  expect(await call('GET /health')).toMatchObject({ status: 200, json: { status: 'ok', database: 'sqlite' } })
  for (const event of ['insert', 'update'])
    await sql`create trigger ${sql.ref(`full_${event}`)} before ${sql.raw(event)} on "settings"
      begin select raise(abort, 'database or disk is full'); end`.execute(db)
  await expect.poll(async () => (await call('GET /health')).status, { timeout: 10_000 }).toBe(503)
  expect((await call('GET /v1/environments')).status).toBe(200)
  for (const event of ['insert', 'update']) await sql`drop trigger ${sql.ref(`full_${event}`)}`.execute(db)
  await expect.poll(async () => (await call('GET /health')).status, { timeout: 10_000 }).toBe(200)
})

test('/health writes one row, however many callers it has', async (context) => {
  const { service, call } = await startTestService('sqlite', context)
  const { db } = service.store
  await sql`create table "writes" ("at" text)`.execute(db)
  for (const event of ['insert', 'update'])
    await sql`create trigger ${sql.ref(`note_${event}`)} after ${sql.raw(event)} on "settings"
      begin insert into "writes" values ('x'); end`.execute(db)
  const startedMs = performance.now()
  const answers = await Promise.all(Array.from({ length: 50 }, () => call('GET /health')))
  const seconds = Math.ceil((performance.now() - startedMs) / 1000)
  expect(answers.every(({ status }) => status === 200)).toBe(true)
  const { rows } = await sql<{ count: number }>`select count(*) as "count" from "writes"`.execute(db)
  // One check per second.
  expect(rows[0]?.count).toBeLessThanOrEqual(seconds + 1)
})
