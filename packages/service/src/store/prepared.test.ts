import { sql } from 'kysely'
import { describe, expect, test } from 'vitest'
import { createQueryKey, insertPrepared, type QueryKey, runPrepared } from './prepared.ts'
import { bothDrivers, createStore } from './stores.fixture.ts'

describe.each(bothDrivers)('prepared query (%s)', (driver) => {
  test('runs with different values, inside and outside transactions', async (context) => {
    const store = await createStore(driver, context)
    const row = (key: string) => ({ key, value: `value of ${key}` })
    await insertPrepared(store.db, 'settings', [row('a')])
    await store.transaction((tx) => insertPrepared(tx, 'settings', [row('b')]))
    await insertPrepared(store.db, 'settings', [row('c'), row('d')])
    await insertPrepared(store.db, 'settings', [])
    const findSetting = createQueryKey('find a setting')
    const find = async (key: string) => {
      const build = () => store.db.selectFrom('settings').select('value').where('key', '=', key)
      const { rows } = await runPrepared(store.db, { key: findSetting, values: [key], build })
      return rows[0]?.value
    }
    expect([await find('a'), await find('b'), await find('d'), await find('e')]).toEqual([
      'value of a',
      'value of b',
      'value of d',
      undefined,
    ])
  })

  test('keeps its own text if another query has the same label, and one text per form', async (context) => {
    const store = await createStore(driver, context)
    await insertPrepared(store.db, 'settings', [{ key: 'a', value: 'b' }])
    const read = async (query: { readonly key: QueryKey; readonly form?: string }, column: 'key' | 'value') => {
      const build = () => store.db.selectFrom('settings').select(column).where('key', '=', 'a')
      return (await runPrepared<object>(store.db, { ...query, values: ['a'], build })).rows
    }
    const [keys, values, both] = [createQueryKey('same'), createQueryKey('same'), createQueryKey('same')]
    for (let run = 0; run < 2; run++) {
      expect(await read({ key: keys }, 'key')).toEqual([{ key: 'a' }])
      expect(await read({ key: values }, 'value')).toEqual([{ value: 'b' }])
      expect(await read({ key: both, form: 'key' }, 'key')).toEqual([{ key: 'a' }])
      expect(await read({ key: both, form: 'value' }, 'value')).toEqual([{ value: 'b' }])
    }
  })

  test('is rejected if its values do not match its parameters', async (context) => {
    const store = await createStore(driver, context)
    const build = () => store.db.selectFrom('settings').select('value').where('key', '=', 'a').where('value', '=', 'b')
    for (const values of [['b', 'a'], ['a'], []])
      await expect(runPrepared(store.db, { key: createQueryKey('wrong'), values, build })).rejects.toThrow(
        'do not match its parameters',
      )
  })

  test('still works after another process has changed the table', async (context) => {
    const store = await createStore(driver, context)
    const key = createQueryKey('all of a setting')
    const find = async (session = store.db) => {
      const build = () => session.selectFrom('settings').selectAll().where('key', '=', 'a')
      return (await runPrepared(session, { key, values: ['a'], build })).rows
    }
    await insertPrepared(store.db, 'settings', [{ key: 'a', value: 'b' }])
    const alone = await find()
    await sql`alter table "settings" add column "more" text`.execute(store.db)
    expect(await find()).toEqual(alone.map((row) => ({ ...row, more: null })))
    await store.transaction(async (tx) => expect(await find(tx)).toHaveLength(1))
    await sql`alter table "settings" add column "most" text`.execute(store.db)
    await store.transaction(async (tx) => expect(await find(tx)).toMatchObject([{ key: 'a', most: null }]))
  })
})
