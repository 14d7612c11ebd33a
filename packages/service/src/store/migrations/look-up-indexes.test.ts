import { type RawBuilder, sql } from 'kysely'
import { expect, test } from 'vitest'
import { blankSubscriber } from '../blank-rows.ts'
import { migrate } from '../migrate.ts'
import { createEmptyDatabase, createStore } from '../stores.fixture.ts'
import { migrations } from './migrations.ts'

test('rows are found using an index', async (context) => {
  const { db } = await createStore('sqlite', context)
  const page = sql`select s.*, t."key", u."email" from "topicSubscriptions" s join "topics" t on t."id" = s."topicId"
    join "subscribers" u on u."id" = s."subscriberId"`
  const plans: readonly (readonly [index: string, statement: RawBuilder<unknown>])[] = [
    ['messages_feedId_some', sql`select "id" from "messages" where "feedId" = ${'f'} limit 100`],
    [
      'conversations_subscriberId_some',
      sql`update "conversations" set "subscriberId" = null where "environmentId" = ${'e'} and "subscriberId" = ${'s'}`,
    ],
    [
      'topicSubscriptions_topicId_id',
      sql`${page} where s."topicId" = ${'t'} and (s."id", s."id") < (${'x'}, ${'x'}) order by s."id" desc, s."id" desc limit 10`,
    ],
    [
      'sqlite_autoindex_subscribers_2',
      sql`${page} where s."topicId" = ${'t'} and u."environmentId" = ${'e'} and u."subscriberId" = ${'ada'} order by s."id" desc`,
    ],
    [
      'channelEndpoints_environmentId_id',
      sql`select * from "channelEndpoints" where "environmentId" = ${'e'} order by "id" desc limit 10`,
    ],
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
    const plan = rows.map(({ detail }) => detail).join()
    expect(plan, index).toContain(`INDEX ${index}`)
    if (index.endsWith('_id')) expect(plan, index).not.toContain('B-TREE FOR ORDER')
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
