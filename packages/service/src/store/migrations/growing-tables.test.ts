import { type RawBuilder, sql } from 'kysely'
import { describe, expect, test } from 'vitest'
import { migrate } from '../migrate.ts'
import type { Store } from '../store.ts'
import { bothDrivers, createEmptyDatabase } from '../stores.fixture.ts'
import { migrations } from './migrations.ts'

/** Written before indexes could be built without blocking writes. None may be added. */
const olderMigrations = ['0004-old-collections', '0005-look-ups', '0014-lists', '0015-one-queue', '0017-events']

const blocking: readonly (readonly [name: string, pattern: RegExp])[] = [
  ['builds an index: list it in `indexes`', /^create (?:unique )?index .* on "(\w+)"/is],
  [
    'checks or rewrites all rows',
    /^alter table "(\w+)".*\b(?:add constraint|add unique|add primary|set not null|type)\b/is,
  ],
  [
    'rewrites all rows for a default that is not constant',
    /^alter table "(\w+)" add .* default (?!\d+$|'[^']*'$|null$)/is,
  ],
]

/** Returns the statements that block a table which an earlier migration created, and which may therefore be large. */
function findBlocking(list: typeof migrations): readonly string[] {
  const older = new Set<string>()
  return list.flatMap(({ name, statements, onPostgres = [] }) => {
    const faults = [...statements, ...onPostgres].flatMap((statement) =>
      blocking.flatMap(([what, pattern]) => {
        const table = pattern.exec(statement.trim())?.[1] ?? ''
        return older.has(table) ? [`${name}: ${table}: ${what}`] : []
      }),
    )
    for (const statement of statements) {
      const [, table] = /^create table "(\w+)"/i.exec(statement.trim()) ?? []
      if (table !== undefined) older.add(table)
    }
    return olderMigrations.includes(name) ? [] : faults
  })
}

test('no migration blocks a table that can be large', () => {
  expect(findBlocking(migrations)).toEqual([])
})

test.each([
  'create index "x" on "runs" ("id")',
  `create unique index "x"\n on "runs" ("id") where "id" is not null`,
  'alter table "runs" add constraint "x" check ("id" is not null)',
  'alter table "runs" alter column "status" set not null',
  'alter table "runs" alter column "createdAt" type text',
  'alter table "runs" add column "x" double precision not null default random()',
])('a migration is rejected if it runs %s', (statement) => {
  expect(findBlocking([...migrations, { name: '9999-x', statements: [statement] }])).toHaveLength(1)
})

const at = migrations.findIndex(({ name }) => name === '0023-delivery-reports')
const upTo = (length: number) => migrations.slice(0, length)
const index = 'messages_integrationId_providerMessageId'

async function isValid({ db }: Store): Promise<boolean | undefined> {
  const { rows } = await sql<{ readonly valid: boolean }>`select "indisvalid" as "valid" from "pg_index"
    where "indexrelid" = to_regclass(${`"${index}"`})`.execute(db)
  return rows[0]?.valid
}

/** Runs work while another transaction holds a lock. */
async function during(store: Store, lock: RawBuilder<unknown>, work: () => Promise<void>): Promise<void> {
  await store.transaction(async (tx) => {
    await lock.execute(tx)
    await work()
  })
}

/** Rejects if the statement has to wait for a lock for long. */
const runSoon = (store: Store, statement: RawBuilder<unknown>): Promise<unknown> =>
  store.transaction(async (tx) => {
    await sql`set local lock_timeout = 8000`.execute(tx)
    await statement.execute(tx)
  })

const write = sql`update "messages" set "updatedAt" = 1`
/** A migration waits for the lock of another transaction. */
async function isWaiting({ db }: Store, what: string): Promise<boolean> {
  const { rows } = await sql`select 1 from "pg_stat_activity" where "wait_event_type" = 'Lock'
    and "datname" = current_database() and "query" ilike ${`%${what}%`}`.execute(db)
  return rows.length > 0
}

async function until(check: () => Promise<boolean>): Promise<void> {
  while (!(await check())) await new Promise((resolve) => setTimeout(resolve, 20))
}

describe('on PostgreSQL', () => {
  test('an index is built while others write', async (context) => {
    const database = await createEmptyDatabase('postgres', context)
    const [store, other, third] = [database.open(), database.open(), database.open()]
    await migrate(store, upTo(at))
    let migrated: Promise<unknown> | undefined
    await during(other, write, async () => {
      migrated = migrate(store)
      await until(() => isWaiting(third, 'create index'))
      await runSoon(third, write)
    })
    await migrated
    expect(await isValid(store)).toBe(true)
  })

  test('a change of a table makes way for others while it waits for a long read', async (context) => {
    const database = await createEmptyDatabase('postgres', context)
    const [store, other, third] = [database.open(), database.open(), database.open()]
    await migrate(store)
    const name = '9999-column'
    const added = [...migrations, { name, statements: ['alter table "messages" add column "x" text'] }]
    let migrated: Promise<readonly string[]> | undefined
    await during(other, sql`lock table "messages" in access share mode`, async () => {
      migrated = migrate(store, added)
      await until(() => isWaiting(third, 'alter table'))
      await runSoon(third, write)
    })
    expect(await migrated).toEqual([name])
  })

  test('an index whose building was interrupted is built again, once, by any of several processes', async (context) => {
    const database = await createEmptyDatabase('postgres', context)
    const stores = [database.open(), database.open(), database.open()] as const
    await migrate(stores[0])
    await sql`update "pg_index" set "indisvalid" = false where "indexrelid" = to_regclass(${`"${index}"`})`.execute(
      stores[0].db,
    )
    expect(await isValid(stores[0])).toBe(false)
    await Promise.all(stores.map((store) => migrate(store)))
    expect(await isValid(stores[0])).toBe(true)
  })
})

describe.each(bothDrivers)('on %s', (driver) => {
  test('all indexes of migrations exist', async (context) => {
    const store = (await createEmptyDatabase(driver, context)).open()
    await migrate(store)
    const names = migrations.flatMap(({ indexes = [] }) => indexes.map(({ name }) => name))
    const from =
      driver === 'sqlite'
        ? sql`select "name" from "sqlite_master"`
        : sql`select "indexname" as "name" from "pg_indexes"`
    const { rows } = await (from as RawBuilder<{ readonly name: string }>).execute(store.db)
    expect(rows.map(({ name }) => name)).toEqual(expect.arrayContaining(names))
    expect(names).toContain(index)
  })
})
