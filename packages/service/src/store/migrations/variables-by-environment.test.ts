import { sql } from 'kysely'
import { describe, expect, test } from 'vitest'
import { migrate } from '../migrate.ts'
import { bothDrivers, createEmptyDatabase } from '../stores.fixture.ts'
import { migrations } from './migrations.ts'

describe.each(bothDrivers)('0010-variables-by-environment (%s)', (driver) => {
  test('gives each environment its own variables', async (context) => {
    const store = (await createEmptyDatabase(driver, context)).open()
    const at = migrations.findIndex(({ name }) => name === '0010-variables-by-environment')
    await migrate(store, migrations.slice(0, at))
    const run = (text: string) => sql.raw(text).execute(store.db)
    for (const id of ['dev', 'prod'])
      await run(`insert into "environments" values ('${id}', '${id}', null, '${id}', null, null, null, '{}', 1, 1)`)
    for (const [id, key, isSecret] of [
      ['v1', 'SHARED', 1],
      ['v2', 'DEV', 0],
      ['v3', 'EMPTY', 0],
    ])
      await run(`insert into "variables" values ('${id}', '${key}', 'string', ${isSecret}, 10, 11)`)
    for (const [id, environment, value] of [
      ['v1', 'dev', 'a'],
      ['v1', 'prod', 'b'],
      ['v2', 'dev', 'c'],
    ])
      await run(`insert into "variableValues" values ('${id}', '${environment}', '${value}', 20)`)
    await migrate(store, migrations.slice(0, at + 1))
    const rows = await store.db
      .selectFrom('variableValues')
      .selectAll()
      .orderBy('environmentId')
      .orderBy('key')
      .execute()
    expect(rows.map((row) => [row.environmentId, row.key, row.variableId, row.isSecret, row.value])).toEqual([
      ['dev', 'DEV', 'v2', 0, 'c'],
      ['dev', 'EMPTY', 'v3', 0, null],
      ['dev', 'SHARED', 'v1', 1, 'a'],
      ['prod', 'EMPTY', 'v3', 0, null],
      ['prod', 'SHARED', 'v1', 1, 'b'],
    ])
  })
})
