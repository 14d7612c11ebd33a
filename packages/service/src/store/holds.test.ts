import { type RawBuilder, sql } from 'kysely'
import { describe, expect, test } from 'vitest'
import { holds, holdsAnyCase } from './holds.ts'
import { bothDrivers, createStore } from './stores.fixture.ts'

const values = ['News', 'news', 'a%b', 'a_b', 'axb', 'a~b', 'a\\b', '"', '']

describe.each(bothDrivers)('substring search (%s)', (driver) => {
  test('finds exact and case-insensitive matches', async (context) => {
    const store = await createStore(driver, context)
    await store.db
      .insertInto('settings')
      .values(values.map((key) => ({ key, value: '' })))
      .execute()
    const find = async (condition: RawBuilder<boolean>) =>
      (await store.db.selectFrom('settings').select('key').where(condition).execute()).map(({ key }) => key).sort()
    const key = sql.ref('key')
    for (const part of [...values, 'N', 'w', 'b', '%', '_', '~', '\\', 'absent']) {
      expect(await find(holds(key, part))).toEqual(values.filter((value) => value.includes(part)).sort())
      const small = part.toLowerCase()
      const inAnyCase = values.filter((value) => value.toLowerCase().includes(small)).sort()
      expect(await find(holdsAnyCase(key, part))).toEqual(inAnyCase)
    }
  })
})
