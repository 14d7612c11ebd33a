import { type RawBuilder, sql } from 'kysely'
import { expect, test } from 'vitest'
import { blankSubscriber } from '../blank-rows.ts'
import { migrate } from '../migrate.ts'
import { createEmptyDatabase, createStore } from '../stores.fixture.ts'
import { migrations } from './migrations.ts'

test('subscribers and their messages are found using an index', async (context) => {
  const { db } = await createStore('sqlite', context)
  const plans: readonly (readonly [index: string, statement: RawBuilder<unknown>])[] = [
    [
      'subscribers_environmentId_email',
      sql`select * from "subscribers" where "environmentId" = ${'e'} and lower("email") = lower(${'A@b.example'})`,
    ],
    [
      'subscribers_environmentId_phone',
      sql`select * from "subscribers" where "environmentId" = ${'e'} and "phone" = ${'1'}`,
    ],
    [
      'runs_environmentId_externalSubscriberId_id',
      sql`select * from "runs" where "environmentId" = ${'e'} and "externalSubscriberId" in (${'a'}) order by "id" desc`,
    ],
    [
      'subscribers_environmentId_email',
      sql`select * from "runs" where "environmentId" = ${'e'} and "subscriberId" in (select "id" from "subscribers"
        where "environmentId" = ${'e'} and lower("email") in (lower(${'a'}), lower(${'b'}))) order by "id" desc`,
    ],
  ]
  for (const [index, statement] of plans) {
    const { rows } = await sql<{ readonly detail: string }>`explain query plan ${statement}`.execute(db)
    expect(rows.map(({ detail }) => detail).join(), index).toContain(`INDEX ${index}`)
  }
})

test('the embedded database keeps no statistics from the migration', async (context) => {
  const store = (await createEmptyDatabase('sqlite', context)).open()
  await migrate(store, migrations.slice(0, 4))
  const id = '0000000000000000000000a1'
  const row = { ...blankSubscriber, id, environmentId: 'e', subscriberId: 'ada', createdAt: 1, updatedAt: 1 }
  await store.db.insertInto('subscribers').values(row).execute()
  await migrate(store)
  const { rows } = await sql`select 1 from sqlite_master where name = 'sqlite_stat1'`.execute(store.db)
  expect(rows).toEqual([])
})
