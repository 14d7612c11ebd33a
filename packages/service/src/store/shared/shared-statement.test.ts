import { describe, expect, test } from 'vitest'
import type { RunRow } from '../schema/run.ts'
import type { Session, Store } from '../store.ts'
import { bothDrivers, createStore } from '../stores.fixture.ts'
import { hasOneOf, insertUnlessKnown, updateById } from './row-list.ts'
import { createSharedStatement, shareStatements } from './shared-statement.ts'

const session = (): Session => ({}) as Session

describe('a shared statement', () => {
  const createCounted = (keyOf?: (request: number) => string) => {
    const runs: (readonly number[])[] = []
    const ask = createSharedStatement<number, number>({
      ...(keyOf && { keyOf }),
      async run(_session, requests) {
        runs.push(requests)
        if (requests.includes(13)) throw new Error('unlucky')
        return requests.map((request) => request * 2)
      },
    })
    return { ask, runs }
  }

  test('runs each request separately in an ordinary session', async () => {
    const { ask, runs } = createCounted()
    const db = session()
    expect(await Promise.all([ask(db, 1), ask(db, 2)])).toEqual([2, 4])
    expect(runs).toEqual([[1], [2]])
  })

  test('runs all requests of a turn together, even those made after other awaits, and each session separately', async () => {
    const { ask, runs } = createCounted()
    const [tx, other] = [session(), session()]
    for (const shared of [tx, other]) shareStatements(shared)
    const late = async () => {
      for (let hop = 0; hop < 20; hop++) await undefined
      return ask(tx, 3)
    }
    expect(await Promise.all([ask(tx, 1), ask(other, 2), late()])).toEqual([2, 4, 6])
    expect(runs).toEqual([[1, 3], [2]])
    expect(await ask(tx, 4)).toBe(8)
    expect(runs).toHaveLength(3)
  })

  test('never contains two requests with the same key, and keeps their order', async () => {
    const { ask, runs } = createCounted((request) => String(request % 10))
    const tx = session()
    shareStatements(tx)
    const requests = [1, 2, 11, 21, 12, 3]
    expect(await Promise.all(requests.map((request) => ask(tx, request)))).toEqual(requests.map((one) => one * 2))
    expect(runs).toEqual([[1, 2, 3], [11, 12], [21]])
  })

  test('fails for all of its requests', async () => {
    const { ask } = createCounted()
    const tx = session()
    shareStatements(tx)
    const ends = await Promise.allSettled([ask(tx, 1), ask(tx, 13)])
    expect(ends.map(({ status }) => status)).toEqual(['rejected', 'rejected'])
  })
})

describe.each(bothDrivers)('rows in lists on %s', (driver) => {
  const oddText = `quote ' " \\ {"a":1} \n é 😀 $1 ?`

  async function addRuns(store: Store, ids: readonly string[]): Promise<void> {
    const run = {
      ...{ environmentId: 'e', triggerId: 't', transactionId: 'x', workflowId: 'w', workflowIdentifier: 'w' },
      ...{ subscriberId: 's', status: 'running', payload: '{}', overrides: '{}', actor: null, tenant: null },
      ...{
        context: null,
        contextKeys: '[]',
        topics: '[]',
        recipient: '{}',
        bridgeUrl: null,
        tags: '[]',
        channels: '[]',
      },
      ...{
        severity: 'none',
        critical: 0,
        controls: '{}',
        digestedRunId: null,
        sequence: 0,
        next: null,
        nextClaim: null,
      },
      ...{ parentRunId: null, parentJobId: null, isAwaited: 0, depth: 0, rootRunId: null, descendants: 0 },
      ...{ nextFailures: 0, isBulk: 0, trace: null, createdAt: 1, updatedAt: 1, finishedAt: null },
    }
    const rows = ids.map((id) => ({ ...run, id, externalSubscriberId: id })) as readonly RunRow[]
    await store.db.insertInto('runs').values(rows).execute()
  }

  test('are updated by id, even with different columns, and returned on request', async (context) => {
    const store = await createStore(driver, context)
    await addRuns(store, ['a', 'b', 'c', 'd'])
    const returned = await store.transaction((tx) => {
      shareStatements(tx)
      const table = 'runs'
      return Promise.all([
        updateById(tx, { table, id: 'a', values: { payload: oddText, finishedAt: 5 }, isReturned: true }),
        updateById(tx, { table, id: 'b', values: { payload: 'b', finishedAt: null }, isReturned: true }),
        updateById(tx, { table, id: 'c', values: { updatedAt: 2 ** 52 } }),
        updateById(tx, { table, id: 'd', values: { updatedAt: 7 } }),
        updateById(tx, { table, id: 'd', values: { nextClaim: 'later' }, isReturned: true }),
        updateById(tx, { table, id: 'none', values: { payload: 'x', finishedAt: 1 }, isReturned: true }),
      ])
    })
    const rows = await store.db.selectFrom('runs').selectAll().orderBy('id').execute()
    expect(rows).toMatchObject([
      { id: 'a', payload: oddText, finishedAt: 5, updatedAt: 1 },
      { id: 'b', payload: 'b', finishedAt: null },
      { id: 'c', payload: '{}', updatedAt: 2 ** 52 },
      { id: 'd', updatedAt: 7, nextClaim: 'later' },
    ])
    expect(returned).toEqual([rows[0], rows[1], undefined, undefined, rows[3], undefined])
  })

  test('are found by one value or by several', async (context) => {
    const store = await createStore(driver, context)
    await addRuns(store, ['a', "b'", 'c'])
    for (const ids of [["b'"], ['a', "b'", 'none']]) {
      const { condition } = hasOneOf(store.db, 'id', ids)
      const rows = await store.db.selectFrom('runs').select('id').where(condition).orderBy('id').execute()
      expect(rows.map(({ id }) => id)).toEqual(ids.filter((id) => id !== 'none'))
    }
  })

  test('are inserted unless their key exists in the table or in the list', async (context) => {
    const store = await createStore(driver, context)
    const { blankMessage } = await import('../blank-rows.ts')
    const message = (id: string, dedupeKey: string) =>
      ({
        ...blankMessage,
        ...{ id, dedupeKey, environmentId: 'e', runId: 'r', jobId: 'j', workflowId: 'w', workflowIdentifier: 'w' },
        ...{ subscriberId: 's', transactionId: 't', channel: 'in_app', providerId: 'p', integrationId: null },
        ...{ status: 'sent', errorId: null, errorText: null, payload: oddText, overrides: '{}', tags: '[]' },
        ...{ severity: 'none', critical: 0, contextKeys: '[]', deliveredAt: '[]', delivery: null, data: null },
        ...{ createdAt: 1, updatedAt: 1 },
      }) as never
    const target = { table: 'messages', key: 'dedupeKey' } as const
    expect(await insertUnlessKnown(store.db, target, [message('1', 'k')])).toEqual(['1'])
    const inserted = await insertUnlessKnown(store.db, target, [
      message('2', 'k'),
      message('3', 'l'),
      message('4', 'l'),
    ])
    expect(inserted).toEqual(['3'])
    expect(await insertUnlessKnown(store.db, target, [])).toEqual([])
    const rows = await store.db.selectFrom('messages').select(['id', 'payload']).orderBy('id').execute()
    expect(rows).toEqual([
      { id: '1', payload: oddText },
      { id: '3', payload: oddText },
    ])
  })
})
