import { sql } from 'kysely'
import { describe, expect, test } from 'vitest'
import type { Store } from '../../store/store.ts'
import { bothDrivers } from '../../store/stores.fixture.ts'
import { startTestService } from '../service.fixture.ts'

const size = 32_000
/** The growth factor of the number of subscribers. */
const times = 8

/** Inserts subscribers `s0`, `s1` and so on in a range, each with a subscription to the topic. */
async function fillTopic(
  { db, driver }: Store,
  { environmentId, topicId, first, last }: { environmentId: string; topicId: string; first: number; last: number },
): Promise<void> {
  const numbers =
    driver === 'postgres'
      ? sql`select n from generate_series(${sql.lit(first)}, ${sql.lit(last)}) as g(n)`
      : sql`with recursive g(n) as (select ${sql.lit(first)} union all select n + 1 from g where n < ${sql.lit(last)}) select n from g`
  const name = sql`'s' || cast(n as text)`
  const environment = sql.lit(environmentId)
  await sql`insert into "subscribers" ("id", "environmentId", "subscriberId", "channels", "createdAt", "updatedAt")
    select ${name}, ${environment}, ${name}, '[]', 1, 1 from (${numbers}) as "numbers"`.execute(db)
  await sql`insert into "topicSubscriptions" ("id", "environmentId", "topicId", "subscriberId", "identifier", "createdAt",
    "updatedAt") select ${name}, ${environment}, ${sql.lit(topicId)}, ${name}, ${name}, 1, 1
    from (${numbers}) as "numbers"`.execute(db)
}

describe.each(bothDrivers)('topics with many subscribers (%s)', (driver) => {
  test('are listed in time linear in the number of subscribers', async (context) => {
    const { call, service, environmentId } = await startTestService(driver, context)
    const topic = await call('POST', '/v1/topics', { key: 'news', name: 'News' })
    await call('POST', '/v1/topics', { key: 'empty', name: 'Empty' })
    const topicId = topic.body.data._id
    const measure = async (expected: number) => {
      const tookMs: number[] = []
      for (let count = 0; count < 3; count++) {
        const startMs = performance.now()
        const { body } = await call('GET', '/v1/topics')
        tookMs.push(performance.now() - startMs)
        const counts = body.data.map(({ key, subscribers }: { key: string; subscribers: string[] }) => [
          key,
          new Set(subscribers).size,
        ])
        expect(counts).toEqual([
          ['empty', 0],
          ['news', expected],
        ])
      }
      return Math.min(...tookMs)
    }
    await fillTopic(service.store, { environmentId, topicId, first: 0, last: size / times - 1 })
    const fewMs = await measure(size / times)
    await fillTopic(service.store, { environmentId, topicId, first: size / times, last: size - 1 })
    // Quadratic time would take 64 times as long and block all other requests.
    expect((await measure(size)) / fewMs).toBeLessThan(times * 3)
    expect((await call('DELETE', '/v1/topics/news')).status).toBe(409)
    expect((await call('DELETE', '/v1/topics/empty')).status).toBe(204)
  })

  test('are deleted at once; the rest of their subscriptions has no effect', async (context) => {
    const { call, service, environmentId } = await startTestService(driver, context)
    const create = async () => (await call('POST', '/v2/topics', { key: 'news' })).body._id
    await fillTopic(service.store, { environmentId, topicId: await create(), first: 0, last: 719 })
    const countOf = async (path: string) => (await call('GET', path)).body.totalCount
    expect(await countOf('/v2/topics/news/subscriptions')).toBe(720)
    expect((await call('DELETE', '/v2/topics/news')).status).toBe(200)
    expect((await call('GET', '/v2/topics/news')).status).toBe(404)
    // This process does not work on the queue.
    const left = await service.store.db.selectFrom('topicSubscriptions').select('subscriberId').execute()
    expect(left).toHaveLength(220)
    await create()
    expect(await countOf('/v2/topics/news/subscriptions')).toBe(0)
    expect(await countOf(`/v2/subscribers/${left[0]?.subscriberId}/subscriptions`)).toBe(0)
  })

  test('lose their subscriptions in the background after they were deleted', async (context) => {
    const { call, service, environmentId } = await startTestService(driver, context, { work: true })
    const ids: string[] = []
    for (const key of ['news', 'other']) ids.push((await call('POST', '/v2/topics', { key })).body._id)
    const [topicId = '', other = ''] = ids
    await fillTopic(service.store, { environmentId, topicId, first: 0, last: 719 })
    await fillTopic(service.store, { environmentId, topicId: other, first: 1000, last: 1002 })
    await call('DELETE', '/v2/topics/news')
    const left = service.store.db.selectFrom('topicSubscriptions').select('topicId')
    await expect.poll(() => left.execute()).toEqual(Array.from({ length: 3 }, () => ({ topicId: other })))
  })

  test('are refused by API v1 if a response would have too many subscribers', async (context) => {
    const { call, service, environmentId } = await startTestService(driver, context)
    const topic = await call('POST', '/v1/topics', { key: 'news', name: 'News' })
    await call('POST', '/v1/topics', { key: 'empty', name: 'Empty' })
    await fillTopic(service.store, { environmentId, topicId: topic.body.data._id, first: 0, last: 100_000 })
    const refused = { status: 413, body: { message: expect.stringContaining('more than 100000 subscriptions') } }
    for (const path of ['/v1/topics', '/v1/topics/news']) expect(await call('GET', path)).toMatchObject(refused)
    expect((await call('GET', '/v1/topics?key=empty')).status).toBe(200)
    expect((await call('DELETE', '/v1/topics/news')).status).toBe(409)
  })
})
