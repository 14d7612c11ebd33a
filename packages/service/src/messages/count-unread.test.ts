import { type KyselyPlugin, type RootOperationNode, sql } from 'kysely'
import { describe, expect, test } from 'vitest'
import type { MessageRow } from '../store/schema/message.ts'
import type { Session, Store } from '../store/store.ts'
import { bothDrivers, createStore } from '../store/stores.fixture.ts'
import { countUnread, countUnseen } from './count-unread.ts'
import { addMessages, owner } from './list-messages.fixture.ts'

/** Returns the plan of the only statement of a function. */
async function explain({ db, driver }: Store, run: (session: Session) => Promise<unknown>): Promise<string> {
  const statements: RootOperationNode[] = []
  const plugin: KyselyPlugin = {
    transformQuery({ node }) {
      statements.push(node)
      return node
    },
    transformResult: async ({ result }) => result,
  }
  await run(db.withPlugin(plugin))
  const [node] = statements
  if (!node || statements.length > 1) throw new Error(`There were ${statements.length} statements.`)
  const query = db.getExecutor().compileQuery(node, { queryId: 'explained' })
  const explained = { ...query, sql: `explain ${driver === 'sqlite' ? 'query plan' : ''} ${query.sql}` }
  const { rows } = await db.executeQuery<Readonly<Record<string, unknown>>>(explained)
  return rows.map((row) => row['detail'] ?? row['QUERY PLAN']).join('\n')
}

describe.each(bothDrivers)('the counts of an inbox (%s)', (driver) => {
  test('exclude messages that are not visible, and those of other inboxes', async (context) => {
    const store = await createStore(driver, context)
    const rows: readonly Partial<MessageRow>[] = [
      { severity: 'high' },
      { severity: 'low', seen: 1 },
      { severity: 'none' },
      { severity: 'none', seen: 1, read: 1 },
      { archived: 1 },
      { snoozedUntil: 9 },
      { status: 'pending' },
      { channel: 'email' },
      { subscriberId: 'other' },
      { environmentId: 'other' },
    ]
    for (const [at, fields] of rows.entries()) await addMessages(store, { prefix: `m${at}`, count: at + 1 }, fields)
    expect(await countUnread(store.db, owner)).toEqual({ total: 6, severity: { high: 1, medium: 0, low: 2, none: 3 } })
    expect(await countUnseen(store.db, owner)).toBe(4)
    const empty = { ...owner, subscriberId: 'nothing' }
    expect(await countUnread(store.db, empty)).toEqual({ total: 0, severity: { high: 0, medium: 0, low: 0, none: 0 } })
    expect(await countUnseen(store.db, empty)).toBe(0)
  })

  test('read an index of the counted messages only', async (context) => {
    const store = await createStore(driver, context)
    await addMessages(store, { prefix: 'a', count: 5000 }, { read: 1, seen: 1 })
    await addMessages(store, { prefix: 'b', count: 5 })
    if (driver === 'postgres') await sql`analyze "messages"`.execute(store.db)
    for (const [index, count] of [
      ['messages_unread_some', countUnread],
      ['messages_unseen_some', countUnseen],
    ] as const) {
      const plan = await explain(store, (session) => count(session, owner))
      expect(plan).toMatch(new RegExp(`(INDEX|on|using) ${index}`))
      expect(plan).not.toMatch(/SCAN messages|Seq Scan|messages_environmentId/)
    }
  })
})
