import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { type Answer, createTestApi, errorDto, failureOf, json, secretKey } from '../../fixtures/api.ts'
import { createApiClient, isApiError } from '../index.ts'

async function collect<T>(items: AsyncIterable<T>): Promise<T[]> {
  const all: T[] = []
  for await (const item of items) all.push(item)
  return all
}

/** Returns a value as JSON, or `undefined` if it cannot be serialized. */
const toJson = (value: unknown): string | undefined => {
  try {
    return JSON.stringify(value)
  } catch {
    return undefined
  }
}

const query = (url: string) => Object.fromEntries(new URL(`http://x${url}`).searchParams)

/** Responds with a list of seven items, paged by cursor. */
const byCursor: Answer = (request, response, socket) => {
  const { after, limit = '3' } = query(request.url)
  const from = after === undefined ? 0 : Number(after)
  const to = Math.min(from + Number(limit), 7)
  const data = Array.from({ length: to - from }, (_none, index) => ({ subscriberId: `s${from + index}` }))
  json(200, { data, next: to < 7 ? String(to) : null, previous: null, totalCount: 7 })(request, response, socket)
}

describe('a list by cursor', () => {
  it('is read to its end, with the query kept', async () => {
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

  it('fetches a page only when the iteration reaches it', async () => {
    const { api, received } = await createTestApi(byCursor)
    for await (const { subscriberId } of api.subscribers.search.each()) if (subscriberId === 's1') break
    expect(received).toHaveLength(1)
  })

  it('reports an endless list instead of paging forever', async () => {
    const { api, received } = await createTestApi(json(200, { data: [], next: 'same', previous: null }))
    expect((await failureOf(collect(api.topics.list.each()))).message).toBe(
      'The list does not end: a cursor was repeated.',
    )
    expect(received).toHaveLength(2)
    const restart = await createTestApi(json(200, { data: [{}], next: 'same', previous: null }))
    const walk = collect(restart.api.topics.list.each({ query: { after: 'same' } }))
    expect((await failureOf(walk)).message).toBe('The list does not end: a cursor was repeated.')
    expect(restart.received).toHaveLength(1)
  })

  it('stops after ten consecutive empty pages with new cursors', async () => {
    let number = 0
    const { api, received } = await createTestApi((request, response, socket) => {
      number += 1
      const data = number === 5 ? [{ key: 't' }] : []
      json(200, { data, next: `c${number}`, previous: null })(request, response, socket)
    })
    const items: unknown[] = []
    const failure = await failureOf(
      (async () => {
        for await (const item of api.topics.list.each()) items.push(item)
      })(),
    )
    expect(failure.message).toBe('The list does not end: 10 consecutive empty pages pointed to a next page.')
    expect(items).toEqual([{ key: 't' }])
    expect(received).toHaveLength(15)
  })

  it.each([[7], [{}], [['a']], [true], ['x'.repeat(5000)]])('rejects the cursor %j', async (next) => {
    const { api, received } = await createTestApi(json(200, { data: [{}], next, previous: null }))
    expect((await failureOf(collect(api.topics.list.each()))).code).toBe('AnswerUnreadable')
    expect(received).toHaveLength(1)
  })

  it('ends or fails for any response, and never loses or repeats an item', async () => {
    const anyPage = fc.record(
      {
        data: fc.oneof(fc.array(fc.integer(), { maxLength: 3 }), fc.anything()),
        next: fc.oneof(fc.constantFrom('a', 'b', 'c', '', null), fc.string(), fc.anything()),
      },
      { requiredKeys: [] },
    )
    await fc.assert(
      fc.asyncProperty(fc.array(fc.oneof(anyPage, fc.anything()), { maxLength: 30 }), async (answers) => {
        const texts = answers.map((answer) => toJson(answer) ?? 'null')
        let count = 0
        const fetch = async () => new Response(texts[count++] ?? '{"data":[],"next":null}')
        const api = createApiClient({ secretKey, apiUrl: 'https://api.test', fetch, maxRetries: 0 })
        const items: unknown[] = []
        try {
          for await (const item of api.topics.list.each()) items.push(item)
        } catch (error) {
          expect(isApiError(error, 'AnswerUnreadable')).toBe(true)
        }
        const sent = texts.slice(0, count).flatMap((text) => {
          const page: unknown = JSON.parse(text)
          const data =
            typeof page === 'object' && page !== null && Object.hasOwn(page, 'data') && Reflect.get(page, 'data')
          // A body with only { data } is unwrapped, so it is not a page.
          return Array.isArray(data) && Object.keys(page as object).length > 1 ? data : []
        })
        expect(items).toEqual(sent)
        expect(count).toBeLessThanOrEqual(answers.length + 1)
      }),
    )
  })

  it('ends with the error of a failed page, or with the abort reason', async () => {
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

  it('rejects a response that is not a page', async () => {
    const { api } = await createTestApi(json(200, { items: [] }))
    expect((await failureOf(collect(api.contexts.list.each()))).code).toBe('AnswerUnreadable')
  })
})

describe('a list by page number', () => {
  it('is read as long as it has more pages', async () => {
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

  it('is read up to its total count if nothing else marks its end', async () => {
    const { api, received } = await createTestApi((request, response, socket) => {
      const page = Number(query(request.url)['page'] ?? 0)
      const data = Array.from({ length: page < 2 ? 2 : 1 }, (_none, index) => ({ key: `t${page * 2 + index}` }))
      json(200, { data, page, pageSize: 2, totalCount: 5 })(request, response, socket)
    })
    const items = await collect(api.topics.listV1.each({ query: { pageSize: 2, page: 0 } }))
    expect(items.map(({ key }) => key)).toEqual(['t0', 't1', 't2', 't3', 't4'])
    expect(received).toHaveLength(3)
  })

  it('ends at an empty page', async () => {
    const { api, received } = await createTestApi(json(200, { data: [], page: 0, pageSize: 10, hasMore: true }))
    expect(await collect(api.notifications.list.each())).toEqual([])
    expect(received).toHaveLength(1)
  })
})

describe('a list by page number with invalid responses', () => {
  it('reports an unexpected page number', async () => {
    const { api, received } = await createTestApi(json(200, { data: [{}], page: 0, pageSize: 1, hasMore: true }))
    const failure = await failureOf(collect(api.messages.list.each()))
    expect(failure).toMatchObject({ code: 'AnswerUnreadable', message: expect.stringContaining('Page 1 of the list') })
    expect(received).toHaveLength(2)
  })
})

describe('a list whose pages do not say whether more follow', () => {
  it.each([{}, { hasMore: 'true' }, { totalCount: '9' }, { hasMore: null, totalCount: null }])(
    'fails after its items instead of ending early: %j',
    async (more) => {
      const { api } = await createTestApi([
        json(200, { data: [1], page: 0, pageSize: 1, ...more }),
        json(200, { workflows: [1], limit: 1, ...more }),
      ])
      for (const list of [api.messages.list.each(), api.workflows.list.each()] as AsyncGenerator<unknown>[]) {
        expect((await list.next()).value).toBe(1)
        const failure = await failureOf(list.next())
        expect(failure).toMatchObject({
          code: 'AnswerUnreadable',
          message: expect.stringContaining('unclear whether more pages follow'),
        })
      }
    },
  )

  it('ends at an empty page', async () => {
    const { api } = await createTestApi(json(200, { data: [], page: 0, pageSize: 10 }))
    expect(await collect(api.messages.list.each())).toEqual([])
  })
})

describe('an iteration', () => {
  it('names its operation in every error', async () => {
    const { api } = await createTestApi([json(200, { data: [], next: 7 }), json(200, {}), errorDto(404)])
    const walks = [
      api.topics.list.each(),
      api.topics.list.each(),
      api.topics.list.each(),
      api.topics.list.each(7 as never),
    ]
    for (const walk of walks) expect((await failureOf(collect(walk))).operation).toBe('GET /v2/topics')
  })

  it.each([['text'], [['text']], [null], [7], [new Map([['limit', 5]])], [new URLSearchParams('limit=5')]])(
    'rejects a query that cannot be sent unchanged (%#)',
    async (wrong) => {
      const { api, received } = await createTestApi(byCursor)
      const failure = await failureOf(collect(api.subscribers.search.each({ query: wrong as never })))
      expect(failure).toMatchObject({ code: 'RequestInvalid', message: 'query must be an object of parameters.' })
      expect(received).toEqual([])
    },
  )
})

describe('a list by offset', () => {
  const byOffset =
    (items: string, total: number, isOpen: boolean): Answer =>
    (request, response, socket) => {
      const { offset = '0', limit = '2' } = query(request.url)
      const list = Array.from({ length: total }, (_none, index) => index)
      const page = list.slice(Number(offset), Number(offset) + Number(limit))
      const end = isOpen ? { hasMore: Number(offset) + page.length < total, filter: {} } : { totalCount: total }
      json(200, { [items]: page, ...end })(request, response, socket)
    }

  it('reads workflows, layouts and the inbox', async () => {
    const workflows = await createTestApi(byOffset('workflows', 5, false))
    expect(await collect(workflows.api.workflows.list.each({ query: { limit: 2 } }))).toEqual([0, 1, 2, 3, 4])
    expect(workflows.received.map(({ url }) => query(url))).toEqual([
      { limit: '2' },
      { limit: '2', offset: '2' },
      { limit: '2', offset: '4' },
    ])
    const layouts = await createTestApi(byOffset('layouts', 3, false))
    expect(await collect(layouts.api.layouts.list.each({ query: { offset: 1 } }))).toEqual([1, 2])
    const inbox = await createTestApi(byOffset('data', 3, true))
    expect(await collect(inbox.api.inbox.list.each({ subscriberId: 's' }))).toEqual([0, 1, 2])
  })

  it('ends at an empty page', async () => {
    const { api, received } = await createTestApi(json(200, { workflows: [], totalCount: 9 }))
    expect(await collect(api.workflows.list.each())).toEqual([])
    expect(received).toHaveLength(1)
  })
})
