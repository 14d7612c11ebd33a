import { sql } from 'kysely'
import { describe, expect, test } from 'vitest'
import { processorMs } from '../../../../test/processor-time.ts'
import { UnstorableValueError } from './check-parameter.ts'
import { createId } from './create-id.ts'
import { isUniqueViolation } from './faults/unique-violation.ts'
import { insertLate } from './late-rows.ts'
import { migrate, NewerDatabaseError } from './migrate.ts'
import { migrations } from './migrations/migrations.ts'
import type { Store } from './store.ts'
import { bothDrivers, createDatabase, createEmptyDatabase, createStore } from './stores.fixture.ts'

const put = (db: Store['db'], key: string, value = 'v') => db.insertInto('settings').values({ key, value }).execute()
const keys = async (db: Store['db']) =>
  (await db.selectFrom('settings').select('key').orderBy('key').execute()).map(({ key }) => key)

describe.each(bothDrivers)('store (%s)', (driver) => {
  test('commits a transaction completely or not at all', async (context) => {
    const store = await createStore(driver, context)
    await store.transaction((tx) => put(tx, 'a'))
    await expect(
      store.transaction(async (tx) => {
        await put(tx, 'b')
        throw new Error('no')
      }),
    ).rejects.toThrow('no')
    expect(await keys(store.db)).toEqual(['a'])
  })

  test('inserts deferred rows at the end of a transaction, all or none', async (context) => {
    const store = await createStore(driver, context)
    const rows = Array.from({ length: 300 }, (_, index) => ({ key: `k${index}`, value: 'v' }))
    await store.transaction(async (tx) => {
      for (const row of rows) await insertLate(tx, 'settings', [row])
      expect(await keys(tx)).toEqual([])
    })
    expect(await keys(store.db)).toHaveLength(300)
    const failing = store.transaction(async (tx) => {
      await insertLate(tx, 'settings', [{ key: 'new', value: 'v' }])
      throw new Error('no')
    })
    await expect(failing).rejects.toThrow('no')
    await expect(store.transaction((tx) => insertLate(tx, 'settings', rows.slice(0, 1)))).rejects.toThrow()
    await insertLate(store.db, 'settings', [{ key: 'at once', value: 'v' }])
    expect(await keys(store.db)).toHaveLength(301)
  })

  test('runs after-commit functions after the commit, and never without it', async (context) => {
    const store = await createStore(driver, context)
    const seen: string[] = []
    await store.transaction(async (tx) => {
      store.afterCommit(tx, () => seen.push('first'))
      await put(tx, 'a')
      expect(seen).toEqual([])
    })
    await store
      .transaction(async (tx) => {
        store.afterCommit(tx, () => seen.push('second'))
        throw new Error('no')
      })
      .catch(() => undefined)
    store.afterCommit(store.db, () => seen.push('third'))
    expect(seen).toEqual(['first', 'third'])
  })

  test('recognizes a violation of a unique constraint', async (context) => {
    const store = await createStore(driver, context)
    await put(store.db, 'a')
    const error = await put(store.db, 'a').catch((fault: unknown) => fault)
    expect(isUniqueViolation(error)).toBe(true)
    expect(isUniqueViolation(await sql`select nothing`.execute(store.db).catch((fault: unknown) => fault))).toBe(false)
  })

  test('returns numbers and strings as they were stored', async (context) => {
    const store = await createStore(driver, context)
    const row = { environmentId: 'e', category: 'ü 😀 "\\', tokens: 12.75, refilledAt: Number.MAX_SAFE_INTEGER }
    await store.db.insertInto('rateBuckets').values(row).execute()
    expect(await store.db.selectFrom('rateBuckets').selectAll().execute()).toEqual([row])
    const { count } = await store.db
      .selectFrom('rateBuckets')
      .select(({ fn }) => fn.countAll<number>().as('count'))
      .executeTakeFirstOrThrow()
    expect(count).toBe(1)
  })

  test('rejects values that it cannot store unchanged', async (context) => {
    const store = await createStore(driver, context)
    for (const value of ['a\0b', '\ud800', Number.NaN, Number.POSITIVE_INFINITY, 2 ** 53])
      await expect(sql`select ${value} as "v"`.execute(store.db)).rejects.toThrow(UnstorableValueError)
  })

  test('migrates once, even if several processes start', async (context) => {
    const database = await createEmptyDatabase(driver, context)
    const ran = await Promise.all(Array.from({ length: 5 }, () => migrate(database.open())))
    expect(ran.flat().sort()).toEqual(migrations.map(({ name }) => name))
    expect(await migrate(database.open())).toEqual([])
  })

  test('rolls back a failed migration completely', async (context) => {
    const database = await createEmptyDatabase(driver, context)
    const store = database.open()
    const bad = { name: '0001', statements: ['create table "one" ("a" text)', 'create tabel "two" ("a" text)'] }
    await expect(migrate(store, [bad])).rejects.toThrow(/tabel/)
    const good = { name: '0001', statements: ['create table "one" ("a" text)'] }
    expect(await migrate(store, [good])).toEqual(['0001'])
  })

  test('rejects the database from a newer version', async (context) => {
    const store = await createStore(driver, context)
    await expect(migrate(store, [])).rejects.toThrow(NewerDatabaseError)
    await expect(migrate(store, [])).rejects.toThrow(/0001-first/)
  })

  test('makes transactions of two connections wait for each other', async (context) => {
    const database = await createDatabase(driver, context)
    const [one, two] = [database.open(), database.open()]
    await migrate(one)
    await put(one.db, 'n', '0')
    const increment = (store: Store) =>
      store.transaction((tx) =>
        tx
          .updateTable('settings')
          .set({ value: sql`cast(cast("value" as integer) + 1 as text)` })
          .where('key', '=', 'n')
          .execute(),
      )
    await Promise.all(Array.from({ length: 100 }, (_, index) => increment(index % 2 ? one : two)))
    const row = await one.db.selectFrom('settings').select('value').executeTakeFirst()
    expect(row?.value).toBe('100')
  })
})

describe.each(bothDrivers)('concurrent transactions (%s)', (driver) => {
  const read = async (tx: Store['db'], key: string) =>
    (await tx.selectFrom('settings').select('value').where('key', '=', key).executeTakeFirst())?.value

  /** Reads a number and stores the next one, or the first. */
  const count = async (tx: Store['db'], key: string): Promise<void> => {
    const value = await read(tx, key)
    if (value === undefined) await put(tx, key, '1')
    else
      await tx
        .updateTable('settings')
        .set({ value: `${Number(value) + 1}` })
        .where('key', '=', key)
        .execute()
  }

  test.for(['serializable', 'repeatable'] as const)('lose no update: %s', async (level, context) => {
    const database = await createDatabase(driver, context)
    const stores = [database.open(), database.open()]
    await migrate(database.open())
    let commits = 0
    const once = (store: Store) =>
      store[level](async (tx) => {
        store.afterCommit(tx, () => commits++)
        await count(tx, 'n')
      })
    await Promise.all(Array.from({ length: 20 }, () => stores.map(once)).flat())
    expect(await read(database.open().db, 'n')).toBe('40')
    expect(commits).toBe(40)
  })

  test('keep a constraint across several rows: serializable', async (context) => {
    const store = await createStore(driver, context)
    // PostgreSQL reads an empty index before it locks it, and misses a row that is stored in between.
    await put(store.db, 'other')
    const take = (key: string) =>
      store.serializable(async (tx) => {
        const held = await keys(tx)
        if (held.length === 1) await put(tx, key)
      })
    await Promise.all(['a', 'b', 'c', 'd'].map(take))
    expect(await keys(store.db)).toHaveLength(2)
  })

  test('report unique violations, and errors thrown inside the transaction', async (context) => {
    const store = await createStore(driver, context)
    await put(store.db, 'a')
    for (const level of ['serializable', 'repeatable'] as const) {
      const error = await store[level]((tx) => put(tx, 'a')).catch((fault: unknown) => fault)
      expect(isUniqueViolation(error)).toBe(true)
      let runs = 0
      const failing = store[level](async () => {
        runs++
        throw new Error('no')
      })
      await expect(failing).rejects.toThrow('no')
      expect(runs).toBe(1)
    }
  })
})

describe('SQLite store', () => {
  test('throws instead of waiting forever if a transaction is bypassed', async (context) => {
    const store = await createStore('sqlite', context)
    await expect(store.transaction(() => keys(store.db))).rejects.toThrow(/session of the transaction/)
    expect(await keys(store.db)).toEqual([])
  })

  test('does not block the process during many writes', async (context) => {
    const store = await createStore('sqlite', context)
    let turns = 0
    const count = setInterval(() => turns++)
    const endMs = processorMs() + 300
    while (processorMs() < endMs) await store.transaction((tx) => keys(tx))
    clearInterval(count)
    expect(turns).toBeGreaterThan(2)
  })
})

test('identifiers have 24 digits, are unique, and sort by time', () => {
  const ids = Array.from({ length: 5000 }, (_, index) => createId(1_800_000_000_000 + Math.floor(index / 100)))
  expect(ids.every((id) => /^[0-9a-f]{24}$/.test(id))).toBe(true)
  expect(new Set(ids).size).toBe(5000)
  expect([...ids].sort()).toEqual(ids)
})
