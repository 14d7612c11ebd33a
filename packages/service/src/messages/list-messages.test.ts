import type { KyselyPlugin } from 'kysely'
import { describe, expect, test } from 'vitest'
import type { Session } from '../store/store.ts'
import { bothDrivers, createStore } from '../store/stores.fixture.ts'
import { addMessages, owner } from './list-messages.fixture.ts'
import { countMessages, listMessages } from './list-messages.ts'

/** Returns a session that records the rows that each statement has read. */
function record(db: Session) {
  const results: (readonly object[])[] = []
  const plugin: KyselyPlugin = {
    transformQuery: ({ node }) => node,
    async transformResult({ result }) {
      results.push(result.rows)
      return result
    },
  }
  return { db: db.withPlugin(plugin), results }
}

describe.each(bothDrivers)('messages that are filtered by documents (%s)', (driver) => {
  test('are checked in small batches, without documents that the filter does not compare', async (context) => {
    const store = await createStore(driver, context)
    await addMessages(store, { prefix: 'm', count: 600 }, { tags: '["a"]', data: '{"k":1}', payload: '{"large":true}' })
    for (const [filter, document] of [
      [{ tags: ['a'] }, 'tags'],
      [{ data: { k: 1 } }, 'data'],
    ] as const) {
      const { db, results } = record(store.db)
      const page = await listMessages(db, { ...owner, ...filter }, { offset: 0, limit: 10 })
      expect([page.rows.length, page.rows[0]?.id, page.hasMore]).toEqual([10, 'm00000600', true])
      expect(Object.keys(results[0]?.[0] ?? {})).toEqual(['id', document])
      expect(Math.max(...results.map((rows) => rows.length))).toBeLessThan(50)
    }
  })

  test('are all found, in several batches', async (context) => {
    const store = await createStore(driver, context)
    await addMessages(store, { prefix: 'a', count: 250 }, { data: '{"k":1}' })
    // The database finds the text, but it belongs to another field.
    await addMessages(store, { prefix: 'b', count: 150 }, { data: '{"other":{"k":1}}' })
    await addMessages(store, { prefix: 'c', count: 1 }, { data: '{"k":1}' })
    const filter = { ...owner, data: { k: 1 } }
    const { db, results } = record(store.db)
    expect(await countMessages(db, filter)).toBe(251)
    expect(Math.max(...results.map((rows) => rows.length))).toBe(100)
    const { rows, hasMore } = await listMessages(store.db, filter, { offset: 0, limit: 2 })
    expect([rows.map(({ id }) => id), hasMore]).toEqual([['c00000001', 'a00000250'], true])
    const last = await listMessages(store.db, filter, { offset: 249, limit: 2 })
    expect([last.rows.map(({ id }) => id), last.hasMore]).toEqual([['a00000002', 'a00000001'], false])
  })
})
