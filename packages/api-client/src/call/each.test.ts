import { describe, expect, it } from 'vitest'
import { type Answer, createTestApi, errorDto, failureOf, json } from '../../fixtures/api.ts'

async function collect<T>(items: AsyncIterable<T>): Promise<T[]> {
  const all: T[] = []
  for await (const item of items) all.push(item)
  return all
}

const query = (url: string) => Object.fromEntries(new URL(`http://x${url}`).searchParams)

/** A list of seven items, paged by cursor. */
const byCursor: Answer = (request, response, socket) => {
  const { after, limit = '3' } = query(request.url)
  const from = after === undefined ? 0 : Number(after)
  const to = Math.min(from + Number(limit), 7)
  const data = Array.from({ length: to - from }, (_none, index) => ({ subscriberId: `s${from + index}` }))
  json(200, { data, next: to < 7 ? String(to) : null, previous: null, totalCount: 7 })(request, response, socket)
}

describe('a list by cursor', () => {
  it('is walked through to its end, with the query kept', async () => {
    const { api, received } = await createTestApi(byCursor)
    const items = await collect(
      api.subscribers.search.each({ query: { limit: 3, email: 'a@b.test', includeCursor: true } }),
    )
    expect(items.map(({ subscriberId }) => subscriberId)).toEqual(['s0', 's1', 's2', 's3', 's4', 's5', 's6'])
    expect(received.map(({ url }) => query(url))).toEqual([
      { limit: '3', email: 'a@b.test', includeCursor: 'true' },
      { limit: '3', email: 'a@b.test', after: '3' },
      { limit: '3', email: 'a@b.test', after: '6' },
    ])
  })

  it('fetches a page only when it is reached', async () => {
    const { api, received } = await createTestApi(byCursor)
    for await (const { subscriberId } of api.subscribers.search.each()) if (subscriberId === 's1') break
    expect(received).toHaveLength(1)
  })

  it('that never ends is told, not walked for ever', async () => {
    const { api, received } = await createTestApi(json(200, { data: [], next: 'same', previous: null }))
    expect((await failureOf(collect(api.topics.list.each()))).code).toBe('AnswerUnreadable')
    expect(received).toHaveLength(2)
  })

  it('ends with the failure of a page, and with the signal', async () => {
    const failing = await createTestApi([byCursor, errorDto(404)])
    expect((await failureOf(collect(failing.api.subscribers.search.each()))).code).toBe('NotFound')
    const controller = new AbortController()
    const { api, received } = await createTestApi(byCursor)
    const walk = async () => {
      for await (const _item of api.subscribers.search.each({}, { signal: controller.signal })) controller.abort()
    }
    await expect(walk()).rejects.toThrow('abort')
    expect(received).toHaveLength(1)
  })

  it('must be answered with a page', async () => {
    const { api } = await createTestApi(json(200, { items: [] }))
    expect((await failureOf(collect(api.contexts.list.each()))).code).toBe('AnswerUnreadable')
  })
})

describe('a list by page number', () => {
  it('is walked through while it has more', async () => {
    const { api, received } = await createTestApi((request, response, socket) => {
      const page = Number(query(request.url)['page'] ?? 0)
      json(200, { data: [{ _id: page }], page, pageSize: 1, hasMore: page < 2 })(request, response, socket)
    })
    const items = await collect(api.messages.list.each({ query: { limit: 1, channel: 'email' } }))
    expect(items).toEqual([{ _id: 0 }, { _id: 1 }, { _id: 2 }])
    expect(received.map(({ url }) => query(url))).toEqual([
      { limit: '1', channel: 'email' },
      { limit: '1', channel: 'email', page: '1' },
      { limit: '1', channel: 'email', page: '2' },
    ])
  })

  it('is walked through by its total count where it has no other end', async () => {
    const { api, received } = await createTestApi((request, response, socket) => {
      const page = Number(query(request.url)['page'] ?? 0)
      const data = Array.from({ length: page < 2 ? 2 : 1 }, (_none, index) => ({ key: `t${page * 2 + index}` }))
      json(200, { data, page, pageSize: 2, totalCount: 5 })(request, response, socket)
    })
    const items = await collect(api.topics.listV1.each({ query: { pageSize: 2, page: 0 } }))
    expect(items.map(({ key }) => key)).toEqual(['t0', 't1', 't2', 't3', 't4'])
    expect(received).toHaveLength(3)
  })

  it('ends at an empty page whatever it says', async () => {
    const { api, received } = await createTestApi(json(200, { data: [], page: 0, pageSize: 10, hasMore: true }))
    expect(await collect(api.notifications.list.each())).toEqual([])
    expect(received).toHaveLength(1)
  })
})
