import type { KyselyPlugin, RootOperationNode, TableMetadata } from 'kysely'
import { describe, expect, test } from 'vitest'
import { createQueue } from '../queue/create-queue.ts'
import type { QueueItem } from '../queue/queue.ts'
import { createId } from '../store/create-id.ts'
import type { Session, Store } from '../store/store.ts'
import { bothDrivers, createStore } from '../store/stores.fixture.ts'
import { queueRemoval, removalKind, removedTables, removeRows } from './remove-rows.ts'

const owned = { runId: 'run', conversationId: 'conversation', subscriberId: 'subscriber' }
const bucketOf = (environmentId: string, at: number) => `bucket ${environmentId} ${at}`

let lastNumber = 0

/** Inserts rows into all tables, three for each run, conversation and subscriber. */
async function fill({ db }: Store, environmentId: string, owners: number): Promise<void> {
  const tables = await db.introspection.getTables()
  for (const name of removedTables) {
    const isOwner = ['runs', 'conversations', 'subscribers'].includes(name)
    const isOwned = ['digests', 'throttles', 'inboxPositions'].includes(name)
    const count = isOwner || isOwned ? owners : 3 * owners
    const table = tables.find((one) => one.name === name)
    const rows = Array.from({ length: count }, (_, at) => toRow(table, environmentId, at % owners))
    for (let at = 0; at < count; at += 100)
      await db
        .insertInto(name as 'settings')
        .values(rows.slice(at, at + 100) as never)
        .execute()
  }
}

function toRow(table: TableMetadata | undefined, environmentId: string, at: number): object {
  const columns = table?.columns ?? []
  const needed = columns.filter(({ isNullable, hasDefaultValue }) => !isNullable && !hasDefaultValue)
  const blank = needed.map(({ name, dataType }) => [
    name,
    /text|char/i.test(dataType) ? createId(0) : ++lastNumber % 30_000,
  ])
  const ofOwner = Object.entries(owned).flatMap(([column, owner]) => {
    const isOwner = table?.name === `${owner}s`
    const name = isOwner ? 'id' : column
    return isOwner || columns.some((one) => one.name === column) ? [[name, `${owner} ${environmentId} ${at}`]] : []
  })
  const bucket = columns.some(({ name }) => name === 'bucket') ? { bucket: bucketOf(environmentId, at) } : {}
  return { ...Object.fromEntries([...blank, ...ofOwner]), ...bucket, environmentId }
}

/** Returns a store that records its statements, and the rows that each has deleted. */
function record(store: Store) {
  const statements: RootOperationNode[] = []
  const counts: number[] = []
  const plugin: KyselyPlugin = {
    transformQuery({ node }) {
      statements.push(node)
      return node
    },
    async transformResult({ result }) {
      counts.push(Number(result.numAffectedRows ?? 0))
      return result
    },
  }
  const transaction: Store['transaction'] = (work) => store.transaction((tx) => work(tx.withPlugin(plugin) as Session))
  return { store: { ...store, transaction }, statements, counts }
}

async function countRows({ db }: Store, environmentId: string): Promise<readonly string[]> {
  const filled: string[] = []
  for (const table of removedTables) {
    const rows = db.selectFrom(table as 'messages').select(({ fn }) => fn.countAll<number>().as('count'))
    const row = await rows.where('environmentId', '=', environmentId).executeTakeFirstOrThrow()
    if (Number(row.count) > 0) filled.push(table)
  }
  return filled
}

async function explain({ db }: Store, node: RootOperationNode): Promise<string> {
  const query = db.getExecutor().compileQuery(node, { queryId: 'explained' })
  const { rows } = await db.executeQuery<{ readonly detail: string }>({
    ...query,
    sql: `explain query plan ${query.sql}`,
  })
  return rows.map(({ detail }) => detail).join('; ')
}

describe.each(bothDrivers)('the rows of a deleted environment (%s)', (driver) => {
  test('are removed in small batches, also after a crash, and other environments keep theirs', async (context) => {
    const store = await createStore(driver, context)
    await fill(store, 'gone', 120)
    await fill(store, 'other', 2)
    const recorded = record(store)
    const items: QueueItem[] = []
    const queue = { add: async (_tx: Session, added: readonly QueueItem[]) => void items.push(...added) }
    await queueRemoval(store.db, queue, 'gone')
    expect(items.splice(1)).toEqual(items)
    let pages = 0
    for (let item = items.pop(); item; item = items.pop()) {
      const crash = { ...item, attempts: 1, complete: () => Promise.reject(new Error('crash')) }
      if (++pages === 20) await expect(removeRows({ ...recorded, queue }, crash)).rejects.toThrow('crash')
      await removeRows({ ...recorded, queue }, { ...item, attempts: 1, complete: async () => undefined })
    }
    expect(await countRows(store, 'gone')).toEqual([])
    expect(await countRows(store, 'other')).toEqual(removedTables)
    expect(Math.max(...recorded.counts)).toBe(100)
    expect(pages).toBeGreaterThan(60)
  })

  test('are removed by the queue', async (context) => {
    const store = await createStore(driver, context)
    await fill(store, 'gone', 2)
    const queue = createQueue(store)
    const worker = queue.work((item) => removeRows({ store, queue }, item), { concurrency: 2 })
    context.onTestFinished(async () => {
      await worker.stop(1000)
      await queue.close()
    })
    await store.transaction((tx) => queueRemoval(tx, queue, 'gone'))
    await expect.poll(() => countRows(store, 'gone'), { timeout: 10_000 }).toEqual([])
    const left = store.db.selectFrom('queueItems').select(['kind', 'subject']).where('processId', 'is', null)
    await expect.poll(() => left.execute()).toEqual([{ kind: removalKind, subject: 'gone' }])
  })
})

test('the rows of a deleted environment are found using an index', async (context) => {
  const store = await createStore('sqlite', context)
  await fill(store, 'gone', 1)
  const recorded = record(store)
  const item = { kind: removalKind, id: 'gone', lane: 'e/l', attempts: 1, complete: async () => undefined } as const
  const queue = { add: async () => undefined }
  for (let page = 0; page < 30; page++) await removeRows({ ...recorded, queue }, item)
  expect(await countRows(store, 'gone')).toEqual([])
  const tables = new Set<string>()
  for (const node of recorded.statements) {
    const plan = await explain(store, node)
    expect(plan).not.toMatch(/SCAN/)
    tables.add(/SEARCH (\w+)/.exec(plan)?.[1] ?? '')
  }
  expect([...tables].toSorted()).toEqual(removedTables.toSorted())
})
