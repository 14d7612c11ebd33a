import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { toErrorReply } from '../http/error-reply.ts'
import { isOverload } from './is-overload.ts'
import { openStore } from './open-store.ts'
import { createDatabase, createStore, drivers } from './stores.fixture.ts'

const place = { path: '/v1/x', nowMs: 0 }

test('a database that is away answers 503 and when to come again', async (context) => {
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

test('a conflict that outlasts every attempt answers 503', async (context) => {
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

test.for(drivers)('what is wrong with a query stays a fault, on %s', async (driver, context) => {
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
