import { sql } from 'kysely'
import { describe, expect, test } from 'vitest'
import type { Store } from '../../store/store.ts'
import { bothDrivers } from '../../store/stores.fixture.ts'
import { startAgents } from './agents.fixture.ts'

/** Stores copies of the first conversation, distributed over several agents. */
async function fill({ db, driver }: Store, size: number, agents: number): Promise<void> {
  const numbers =
    driver === 'postgres'
      ? sql`select n from generate_series(1, ${sql.lit(size)}) as g(n)`
      : sql`with recursive g(n) as (select 1 union all select n + 1 from g where n < ${sql.lit(size)}) select n from g`
  const { id, agentId, ...first } = await db.selectFrom('conversations').selectAll().executeTakeFirstOrThrow()
  const names = Object.keys(first).map((name) => sql.ref(name))
  await sql`insert into "conversations" ("id", "agentId", ${sql.join(names)})
    select 'c' || cast(n as text), 'agent' || cast(n % ${sql.lit(agents)} as text), ${sql.join(names)}
    from (${numbers}) as "numbers", "conversations" where "id" = ${id}`.execute(db)
}

describe.each(bothDrivers)('many conversations (%s)', (driver) => {
  test('are counted in time that does not depend on the number of agents', async (context) => {
    const { ok, begin, bridge, service } = await startAgents(driver, context)
    await begin()
    const agents = 150
    await fill(service.store, 20_000, agents)
    const measure = async (ids: readonly string[]) => {
      bridge.agents = ids
      await ok('POST /v1/bridge/sync', { bridgeUrl: bridge.url })
      const times: number[] = []
      for (let count = 0; count < 4; count++) {
        const startMs = performance.now()
        await ok('GET /v1/studio/agents')
        times.push(performance.now() - startMs)
      }
      return { listed: await ok('GET /v1/studio/agents'), ms: Math.min(...times) }
    }
    const one = await measure(['agent0', 'nobody'])
    expect(one.listed).toEqual([
      { agentId: 'agent0', conversations: Math.floor(20_000 / agents) },
      { agentId: 'nobody', conversations: 0 },
    ])
    const all = await measure(Array.from({ length: agents }, (_, index) => `agent${agents - 1 - index}`))
    expect(all.listed).toHaveLength(agents)
    expect(all.listed.at(-1)).toEqual(one.listed[0])
    expect(all.ms / one.ms).toBeLessThan(8)
  })
})

test('builds the history without reading the files of messages that have text', async (context) => {
  const { ok, begin, waitForEvents, reply, service } = await startAgents('sqlite', context)
  const path = await begin()
  await ok(`POST ${path}/messages`, { text: 'Hello' })
  const [first] = await waitForEvents(1)
  if (!first) throw new Error('an event is expected')
  const files = [{ name: 'a.png', data: 'aGk=' }]
  const card = { type: 'card', title: 'Deploy', children: [] }
  for (const content of [
    { text: 'Here', files },
    { text: '', markdown: '**Or** here', files },
    { card, files },
    { files },
  ])
    expect((await reply(first, { reply: content })).status).toBe(200)
  const { db } = service.store
  await sql`alter table "conversationMessages" rename column "files" to "data"`.execute(db)
  // Reading this column of a message that has text fails.
  await sql`alter table "conversationMessages" add column "files" text generated always as
    (case when coalesce(nullif("text", ''), "markdown") is null then "data" else json('{') end) virtual`.execute(db)
  await ok(`POST ${path}/resolve`)
  const [, second] = await waitForEvents(2)
  const historyTexts = second?.body.history.map(({ text }: { text: string }) => text)
  expect(historyTexts).toEqual(['Hello', 'Here', '**Or** here', 'Deploy', 'a.png'])
})
