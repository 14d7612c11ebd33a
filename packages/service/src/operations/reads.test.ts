import { Worker } from 'node:worker_threads'
import { sql } from 'kysely'
import Database from 'libsql'
import { expect, test, vi } from 'vitest'
import { z } from 'zod'
import type { AnyOperation } from '../context/operation.ts'
import { createId } from '../store/create-id.ts'
import { toRequest } from './any-request.fixture.ts'
import { operations } from './operations.ts'
import { startTestService } from './service.fixture.ts'

// No query on the request thread may scan a growing table, or sort one completely.

/** A call finds its environment by key, and a browser call finds its subscriber by key. */
const growing = ['runs', 'jobs', 'executionDetails', 'bridgeCalls', 'messages', 'outbox', 'triggers', 'inboundMails']
const mentions = (text: string): boolean => growing.some((table) => text.includes(`"${table}"`))

/** Returns the requests of an operation: one per sort order, with every text filter and without filters. */
function toPaths(one: AnyOperation): readonly string[] {
  const names = { subscriberId: 'ada', environmentId: createId(1), runId: createId(1), notificationId: createId(1) }
  const [path = ''] = toRequest(one, names).path.split('?')
  const schema = one.query ? (z.toJSONSchema(one.query, { io: 'input', unrepresentable: 'any' }) as Schema) : {}
  const fields = Object.entries(schema.properties ?? {})
  const orders = schema.properties?.['orderBy']?.enum ?? []
  const needed = (schema.required ?? []).map((name) => [name, 'ada'])
  const queries = [
    needed,
    ...orders.map((orderBy) => [...needed, ['orderBy', orderBy]]),
    ...fields
      .filter(([name]) => name !== 'orderBy')
      .map(([name, field]) => [...needed, [name, field.enum?.[0] ?? '1']]),
  ]
  return queries.map((query) => `${path}?${new URLSearchParams(query as [string, string][])}`)
}

interface Schema {
  readonly properties?: Readonly<Record<string, Schema>>
  readonly required?: readonly string[]
  readonly enum?: readonly string[]
}

test('scans large tables outside the request thread and never sorts them', async (context) => {
  const { call, service } = await startTestService('sqlite', context)
  await call('POST', '/v2/subscribers', { subscriberId: 'ada' })
  const here = vi.spyOn(Database.prototype, 'prepare')
  const beside = vi.spyOn(Worker.prototype, 'postMessage')
  context.onTestFinished(() => void vi.restoreAllMocks())
  const isRead = ({ method, path, output, forSubscriber }: AnyOperation): boolean =>
    method === 'GET' && output !== undefined && !forSubscriber && !path.includes('oauth')
  const answered = new Set<string>()
  for (const one of operations.filter(isRead))
    for (const path of toPaths(one)) {
      const { status, text } = await call('GET', path)
      expect([path, status < 500, text.slice(0, 500)]).toEqual([path, true, text.slice(0, 500)])
      if (status === 200) answered.add(one.name)
    }
  expect(answered.size).toBeGreaterThan(40)
  // Before an inbox is read, its expired snoozes are ended in one transaction, for one subscriber only.
  const ofMany = (text: string): boolean => mentions(text) && !text.includes('"subscriberId" = ?')
  expect(here.mock.calls.map(([text]) => text).filter(ofMany)).toEqual([])
  const texts = new Set(beside.mock.calls.map(([query]) => (query as { readonly sql?: string }).sql ?? ''))
  const lists = [...texts].filter(mentions)
  expect(lists.length).toBeGreaterThan(20)
  for (const text of lists) {
    const explained = { ...sql.raw(text).compile(service.store.db), sql: `explain query plan ${text}` }
    const parameters = Array.from({ length: text.split('?').length - 1 }, () => 'x')
    const { rows } = await service.store.db.executeQuery<{ readonly detail: string }>({ ...explained, parameters })
    const plan = rows.map(({ detail }) => detail)
    // A count uses an index and never reads a whole row.
    if (text.includes('count(*)') && text.includes('"id" >= ?'))
      expect(plan[0]).toContain('COVERING INDEX runs_counted')
    expect([text, plan.filter((line) => growing.some((table) => new RegExp(`^SCAN ${table}$`).test(line)))]).toEqual([
      text,
      [],
    ])
    expect([text, plan.filter((line) => line.includes('B-TREE FOR ORDER BY'))]).toEqual([text, []])
  }
}, 120_000)
