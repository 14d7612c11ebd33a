import { sql } from 'kysely'
import PgBoss from 'pg-boss'
import { expect, type TestContext, test } from 'vitest'
import { migrate } from '../../packages/service/src/store/migrate.ts'
import { migrations } from '../../packages/service/src/store/migrations/migrations.ts'
import type { Store } from '../../packages/service/src/store/store.ts'
import { createEmptyDatabase } from '../../packages/service/src/store/stores.fixture.ts'

const earlier = migrations.slice(
  0,
  migrations.findIndex(({ name }) => name === '0015-one-queue'),
)

/** Adds a job as the versions with pg-boss did. */
async function addOld({ db }: Store, id: string, delayMs = 0): Promise<void> {
  const data = JSON.stringify({ kind: 'job', id, lane: 'l', attempts: 2 })
  await sql`insert into "pgboss"."job"
    ("name", "data", "start_after", "expire_in", "keep_until", "retry_limit", "retry_delay", "policy")
    select 'trestle', "item"::jsonb, now() + ${delayMs}::double precision * interval '1 millisecond',
      interval '12 hours', timestamptz '9999-01-01', 1000000, 0, 'standard'
    from json_array_elements(${`[${data}]`}::json) as "item"`.execute(db)
}

/** Claims a job as those versions did. */
async function takeOld({ db }: Store, id: string, processId: string): Promise<void> {
  await sql`with "job" as (update "pgboss"."job" set "state" = 'active' where "data"->>'id' = ${id} returning "id")
    insert into "queueClaims" ("itemId", "kind", "processId") select "id", 'trestle', ${processId} from "job"`.execute(
    db,
  )
}

async function openOld(context: TestContext): Promise<Store> {
  const { address, open } = await createEmptyDatabase('postgres', context)
  const store = open()
  await migrate(store, earlier)
  const boss = new PgBoss({ connectionString: address.databaseUrl ?? '', schedule: false, supervise: false })
  await boss.start()
  await boss.createQueue('trestle')
  await boss.stop({ graceful: false, wait: true })
  return store
}

const items = async ({ db }: Store) =>
  (await db.selectFrom('queueItems').select(['subject', 'kind', 'lane', 'attempts', 'priority']).execute()).toSorted(
    (a, b) => (a.subject < b.subject ? -1 : 1),
  )
const item = (subject: string) => ({ subject, kind: 'job', lane: 'l', attempts: 2, priority: 1 })

test('work of an earlier version continues in the new queue, both while its processes run and after they end', async (context) => {
  const store = await openOld(context)
  const living = { id: 'living', host: 'h', pid: 1, heartbeatAt: 1, info: '{}' }
  await store.db.insertInto('processes').values(living).execute()
  for (const id of ['due', 'held', 'lost']) await addOld(store, id)
  await addOld(store, 'later', 3_600_000)
  await takeOld(store, 'held', 'living')
  await takeOld(store, 'lost', 'gone')
  expect(await migrate(store)).toContain('0015-one-queue')
  expect(await items(store)).toEqual([item('due'), item('later'), item('lost')])
  const { dueAt } = await store.db
    .selectFrom('queueItems')
    .select('dueAt')
    .where('subject', '=', 'later')
    .executeTakeFirstOrThrow()
  expect(Math.abs(dueAt - Date.now() - 3_600_000)).toBeLessThan(600_000)
  await addOld(store, 'new')
  expect((await items(store)).map(({ subject }) => subject)).toEqual(['due', 'later', 'lost', 'new'])
  await store.db.deleteFrom('processes').where('id', '=', 'living').execute()
  expect(await items(store)).toEqual(['due', 'held', 'later', 'lost', 'new'].map(item))
  const { rows } = await sql`select 1 from "pgboss"."job" union all select 1 from "queueClaims"`.execute(store.db)
  expect(rows).toEqual([])
})

test('a database that never had the earlier queue contains no tables of it', async (context) => {
  const { open } = await createEmptyDatabase('postgres', context)
  const store = open()
  await migrate(store)
  const { rows } =
    await sql`select to_regclass('"queueClaims"') as "claims", to_regclass('pgboss.job') as "job"`.execute(store.db)
  expect(rows).toEqual([{ claims: null, job: null }])
})
