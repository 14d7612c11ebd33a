import type { KyselyPlugin } from 'kysely'
import { describe, expect, test } from 'vitest'
import { addMessages } from '../messages/list-messages.fixture.ts'
import type { QueueItem } from '../queue/queue.ts'
import type { Tables } from '../store/schema/tables.ts'
import type { Session, Store } from '../store/store.ts'
import { bothDrivers, createStore } from '../store/stores.fixture.ts'
import { continueRemoval, type DeletedRows, removeDeletedRows } from './deleted-rows.ts'

/** Inserts rows. Missing columns that need a value get one. */
async function insert({ db }: Store, name: keyof Tables, rows: readonly object[]): Promise<void> {
  const tables = await db.introspection.getTables()
  const columns = tables.find((table) => table.name === name)?.columns ?? []
  const needed = columns.filter(({ isNullable, hasDefaultValue }) => !isNullable && !hasDefaultValue)
  const blank = Object.fromEntries(needed.map((column) => [column.name, /text|char/i.test(column.dataType) ? '{}' : 1]))
  for (let at = 0; at < rows.length; at += 100)
    await db
      .insertInto(name as 'settings')
      .values(rows.slice(at, at + 100).map((row) => ({ ...blank, ...row })) as never)
      .execute()
}

const ids = (prefix: string, count: number): readonly string[] =>
  Array.from({ length: count }, (_, at) => `${prefix}${String(at + 1).padStart(8, '0')}`)

/** Removes rows as a request and then the queue do, and records how many rows each statement has changed. */
async function removeAll(store: Store, rows: DeletedRows) {
  const counts: number[] = []
  const plugin: KyselyPlugin = {
    transformQuery: ({ node }) => node,
    async transformResult({ result }) {
      counts.push(Number(result.numAffectedRows ?? 0))
      return result
    },
  }
  const transaction: Store['transaction'] = (work) => store.transaction((tx) => work(tx.withPlugin(plugin) as Session))
  const items: QueueItem[] = []
  const queue = { add: async (_tx: Session, added: readonly QueueItem[]) => void items.push(...added) }
  const ports = { store: { ...store, transaction }, queue, clock: { now: () => 7 } }
  const inRequest = await transaction((tx) => removeDeletedRows(tx, ports, rows))
  let pages = 0
  for (let item = items.pop(); item; item = items.pop()) {
    pages++
    if (pages === 1) {
      const crash = { ...item, attempts: 1, complete: () => Promise.reject(new Error('crash')) }
      await expect(continueRemoval(ports, crash)).rejects.toThrow('crash')
    }
    await continueRemoval(ports, { ...item, attempts: 1, complete: async () => undefined })
  }
  return { inRequest, pages, largest: Math.max(...counts) }
}

const environmentId = 'e'

describe.each(bothDrivers)('the rows of a large deletion (%s)', (driver) => {
  const idsOf = async ({ db }: Store, table: 'topicSubscriptions' | 'webhookDeliveries' | 'outbox' | 'messages') =>
    (await db.selectFrom(table).select('id').orderBy('id').execute()).map(({ id }) => id)

  test('are the subscriptions to a topic', async (context) => {
    const store = await createStore(driver, context)
    const toRow = (topicId: string) => (id: string) => ({ id, environmentId, topicId, identifier: id })
    await insert(store, 'topicSubscriptions', [...ids('a', 720).map(toRow('t')), ...ids('b', 2).map(toRow('other'))])
    const removed = await removeAll(store, { of: 'topic', topicId: 't' })
    expect(removed).toEqual({ inRequest: 500, pages: 3, largest: 100 })
    expect(await idsOf(store, 'topicSubscriptions')).toEqual(ids('b', 2))
    expect(await removeAll(store, { of: 'topic', topicId: 'none' })).toEqual({ inRequest: 0, pages: 0, largest: 0 })
  })

  test('are the deliveries to a webhook endpoint', async (context) => {
    const store = await createStore(driver, context)
    const toRow = (endpointId: string) => (id: string) => ({ id, environmentId, endpointId })
    await insert(store, 'webhookDeliveries', [...ids('a', 720).map(toRow('w')), ...ids('b', 2).map(toRow('other'))])
    const removed = await removeAll(store, { of: 'endpoint', endpointId: 'w' })
    expect(removed).toEqual({ inRequest: 500, pages: 3, largest: 100 })
    expect(await idsOf(store, 'webhookDeliveries')).toEqual(ids('b', 2))
  })

  test('are the feeds of messages, which stay', async (context) => {
    const store = await createStore(driver, context)
    await addMessages(store, { prefix: 'a', count: 720 }, { feedId: 'f' })
    await addMessages(store, { prefix: 'b', count: 2 }, { feedId: 'other' })
    expect(await removeAll(store, { of: 'feed', feedId: 'f' })).toEqual({ inRequest: 500, pages: 3, largest: 100 })
    const rows = await store.db.selectFrom('messages').select('feedId').orderBy('id').execute()
    expect(rows.map(({ feedId }) => feedId)).toEqual([...Array(720).fill(null), 'other', 'other'])
  })

  test('are the items of an outbox, except later ones', async (context) => {
    const store = await createStore(driver, context)
    const toRow = (id: string) => ({ id, environmentId, messageId: id })
    await insert(store, 'outbox', [...ids('a', 720), ...ids('c', 2)].map(toRow))
    await insert(store, 'outbox', [{ ...toRow('b'), environmentId: 'other' }])
    const removed = await removeAll(store, { of: 'outbox', environmentId, lastId: 'a00000720' })
    expect(removed).toEqual({ inRequest: 500, pages: 3, largest: 100 })
    expect(await idsOf(store, 'outbox')).toEqual(['b', ...ids('c', 2)])
  })

  test('are the messages of a transaction, with their outbox items and reports', async (context) => {
    const store = await createStore(driver, context)
    await addMessages(store, { prefix: 'a', count: 720 })
    await addMessages(store, { prefix: 'b', count: 20 }, { channel: 'email' })
    await addMessages(store, { prefix: 'c', count: 1 }, { transactionId: 'other' })
    await addMessages(store, { prefix: 'd', count: 1 }, { environmentId: 'other' })
    const messageIds = [...ids('a', 720), ...ids('b', 20), ...ids('c', 1)]
    for (const table of ['outbox', 'deliveryReports'] as const)
      await insert(
        store,
        table,
        messageIds.map((messageId) => ({ id: messageId, environmentId, messageId })),
      )
    const rows = { of: 'transaction', environmentId, transactionId: 't' } as const
    const email = await removeAll(store, { ...rows, channel: 'email' })
    expect([email.inRequest, email.pages]).toEqual([20, 0])
    expect(await idsOf(store, 'messages')).toEqual([...ids('a', 720), ...ids('c', 1), ...ids('d', 1)])
    expect(await store.db.selectFrom('inboxChanges').selectAll().execute()).toEqual([])
    expect(await removeAll(store, rows)).toEqual({ inRequest: 500, pages: 3, largest: 100 })
    expect(await idsOf(store, 'messages')).toEqual([...ids('c', 1), ...ids('d', 1)])
    expect(await idsOf(store, 'outbox')).toEqual(ids('c', 1))
    const changes = await store.db.selectFrom('inboxChanges').select(['subscriberId', 'kind']).execute()
    expect(new Set(changes.map((change) => JSON.stringify(change))).size).toBe(1)
    expect(changes[0]).toEqual({ subscriberId: 's', kind: 'changed' })
  })

  test('are the messages of a subscriber, and the data of its runs', async (context) => {
    const store = await createStore(driver, context)
    const recipient = '{"subscriberId":"ada","email":"ada@example.com"}'
    const toRun = (subscriberId: string) => (id: string) => ({
      ...{ id, environmentId, triggerId: id, subscriberId, externalSubscriberId: 'ada', recipient },
    })
    // A later subscriber has the same subscriber id.
    await insert(store, 'runs', [...ids('a', 620).map(toRun('s')), ...ids('b', 1).map(toRun('later'))])
    const runIds = [...ids('a', 620), ...ids('b', 1)]
    const toJob = (runId: string) => ({ id: runId, environmentId, runId, outputs: '1', result: '1', endedAt: 1 })
    const open = { ...toJob('a00000001'), id: 'open', position: 2, endedAt: null }
    await insert(store, 'jobs', [...runIds.map(toJob), open])
    const toCalls = (runId: string) => ['x', 'y'].map((suffix) => ({ id: `${runId}${suffix}`, environmentId, runId }))
    await insert(store, 'bridgeCalls', runIds.flatMap(toCalls))
    await addMessages(store, { prefix: 'a', count: 320 })
    await addMessages(store, { prefix: 'b', count: 1 }, { subscriberId: 'later' })
    const toChange = (subscriberId: string, count: number) =>
      Array.from({ length: count }, (_, at) => ({ subscriberId, position: at + 1, environmentId }))
    await insert(store, 'inboxChanges', [...toChange('s', 120), ...toChange('later', 1)])
    const rows = { of: 'subscriber', environmentId, rowId: 's', subscriberId: 'ada', lastRunId: '' } as const
    const { pages, largest } = await removeAll(store, rows)
    expect(largest).toBe(100)
    expect(pages).toBeGreaterThan(10)
    const kept = store.db.selectFrom('runs').select('id').where('recipient', '=', recipient)
    expect(await kept.execute()).toEqual([{ id: 'b00000001' }])
    const emptied = store.db.selectFrom('runs').select('recipient').distinct().where('subscriberId', '=', 's')
    expect(await emptied.execute()).toEqual([{ recipient: '{"subscriberId":"ada"}' }])
    const jobs = store.db.selectFrom('jobs').select('id').where('outputs', 'is not', null).orderBy('id')
    expect(await jobs.execute()).toEqual([{ id: 'b00000001' }, { id: 'open' }])
    const calls = await store.db.selectFrom('bridgeCalls').select('runId').execute()
    expect(calls.map(({ runId }) => runId)).toEqual(['b00000001', 'b00000001'])
    expect(await idsOf(store, 'messages')).toEqual(ids('b', 1))
    const changes = await store.db.selectFrom('inboxChanges').select('subscriberId').execute()
    expect(changes).toEqual([{ subscriberId: 'later' }])
  })
})
