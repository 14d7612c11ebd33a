import { sql } from 'kysely'
import { describe, expect, test } from 'vitest'
import type { Store } from '../../store/store.ts'
import { drivers } from '../../store/stores.fixture.ts'
import { startTestService } from '../service.fixture.ts'

const size = 30_000

/** Stores subscribers `s0`, `s1` and so on, each with a subscription to the topic. */
async function fillTopic({ db, driver }: Store, environmentId: string, topicId: string): Promise<void> {
  const numbers =
    driver === 'postgres'
      ? sql`select n from generate_series(0, ${sql.lit(size - 1)}) as g(n)`
      : sql`with recursive g(n) as (select 0 union all select n + 1 from g where n < ${sql.lit(size - 1)}) select n from g`
  const name = sql`'s' || cast(n as text)`
  const environment = sql.lit(environmentId)
  await sql`insert into "subscribers" ("id", "environmentId", "subscriberId", "channels", "createdAt", "updatedAt")
    select ${name}, ${environment}, ${name}, '[]', 1, 1 from (${numbers}) as "numbers"`.execute(db)
  await sql`insert into "topicSubscriptions" ("id", "environmentId", "topicId", "subscriberId", "identifier", "createdAt",
    "updatedAt") select ${name}, ${environment}, ${sql.lit(topicId)}, ${name}, ${name}, 1, 1
    from (${numbers}) as "numbers"`.execute(db)
}

describe.each(drivers)('topics with many subscribers on %s', (driver) => {
  test('are listed in a time that grows with their subscribers, not with the square of them', async (context) => {
    const { call, service, environmentId } = await startTestService(driver, context)
    const topic = await call('POST', '/v1/topics', { key: 'news', name: 'News' })
    await call('POST', '/v1/topics', { key: 'empty', name: 'Empty' })
    await fillTopic(service.store, environmentId, topic.body.data._id)
    const startMs = performance.now()
    const { body } = await call('GET', '/v1/topics')
    const tookMs = performance.now() - startMs
    const counts = body.data.map(({ key, subscribers }: { key: string; subscribers: string[] }) => [
      key,
      new Set(subscribers).size,
    ])
    expect(counts).toEqual([
      ['empty', 0],
      ['news', size],
    ])
    // The square took four seconds on a quiet machine, and all other requests waited.
    expect(tookMs).toBeLessThan(2500)
    expect((await call('DELETE', '/v1/topics/news')).status).toBe(409)
    expect((await call('DELETE', '/v1/topics/empty')).status).toBe(204)
  })
})
