import { describe, expect, it } from 'vitest'
import { type Answer, createTestApi, errorDto, failureOf, json, secretKey } from '../../fixtures/api.ts'
import { isApiError } from '../error/error.ts'

const events = (count: number) => Array.from({ length: count }, (_none, index) => ({ name: 'w', to: `s${index}` }))
const subscribers = (count: number) => Array.from({ length: count }, (_none, index) => ({ subscriberId: `s${index}` }))

const takeEvents: Answer = (request, response, socket) => {
  const list = request.json['events'] as { to: string }[]
  const data = list.map(({ to }) => ({ acknowledged: true, status: 'processed', transactionId: to }))
  json(201, { data }, { 'ratelimit-remaining': '5' })(request, response, socket)
}

describe('a bulk call', () => {
  it.each([
    [0, [0]],
    [1, [1]],
    [100, [100]],
    [101, [100, 1]],
    [250, [100, 100, 50]],
  ])('sends %i events as %j', async (count, sizes) => {
    const { api, received } = await createTestApi(takeEvents)
    const { data, replayed } = await api.events.triggerBulk({ body: { events: events(count) } })
    expect(received.map((request) => (request.json['events'] as unknown[]).length)).toEqual(sizes)
    expect(data.map(({ transactionId }) => transactionId)).toEqual(events(count).map(({ to }) => to))
    expect(replayed).toBe(false)
    expect(new Set(received.map(({ headers }) => headers['idempotency-key'])).size).toBe(sizes.length)
  })

  it.each([
    [500, [500]],
    [501, [500, 1]],
    [1200, [500, 500, 200]],
  ])('sends %i subscribers as %j and joins the responses', async (count, sizes) => {
    const { api, received } = await createTestApi((request, response, socket) => {
      const [first, ...rest] = request.json['subscribers'] as { subscriberId: string }[]
      json(201, { updated: [first], created: rest, failed: [] })(request, response, socket)
    })
    const { data } = await api.subscribers.createBulk({ body: { subscribers: subscribers(count) } })
    expect(received.map((request) => (request.json['subscribers'] as unknown[]).length)).toEqual(sizes)
    expect(data.updated).toHaveLength(sizes.length)
    expect(data.created).toHaveLength(count - sizes.length)
    expect(data.failed).toEqual([])
  })

  it('adds the chunk number to the caller’s key, and keeps each key across retries', async () => {
    const { api, received } = await createTestApi([takeEvents, errorDto(503), takeEvents])
    const result = await api.events.triggerBulk({ body: { events: events(150) } }, { idempotencyKey: 'nightly' })
    expect(received.map(({ headers }) => headers['idempotency-key'])).toEqual(['nightly:0', 'nightly:1', 'nightly:1'])
    expect(result).toMatchObject({ idempotencyKey: 'nightly:0', rateLimit: { remaining: 5 } })
    const long = await failureOf(
      api.events.triggerBulk({ body: { events: events(101) } }, { idempotencyKey: 'x'.repeat(254) }),
    )
    expect(long.code).toBe('RequestInvalid')
    expect(received).toHaveLength(3)
  })

  it('is a replay if every chunk is one', async () => {
    const replay: Answer = (_request, response, socket) =>
      json(201, { data: [] }, { 'idempotency-replay': 'true' })(_request, response, socket)
    const whole = await createTestApi(replay)
    expect((await whole.api.events.triggerBulk({ body: { events: events(101) } })).replayed).toBe(true)
    const half = await createTestApi([replay, takeEvents])
    expect((await half.api.events.triggerBulk({ body: { events: events(101) } })).replayed).toBe(false)
  })

  it('lists the successful chunks if it partly fails', async () => {
    const { api, received } = await createTestApi([takeEvents, errorDto(413)])
    const failure = await failureOf(api.events.triggerBulk({ body: { events: events(250) } }, { idempotencyKey: 'n' }))
    if (!isApiError(failure, 'BulkFailed')) throw failure
    expect(failure.message).toBe('1 of 3 chunks succeeded, then: told')
    expect(failure).toMatchObject({ status: 413, cause: { code: 'PayloadTooLarge' } })
    expect(failure.chunks).toMatchObject([
      { index: 0, from: 0, count: 100, idempotencyKey: 'n:0', state: 'done' },
      { index: 1, from: 100, count: 100, idempotencyKey: 'n:1', state: 'failed' },
      { index: 2, from: 200, count: 50, idempotencyKey: 'n:2', state: 'unsent' },
    ])
    expect(failure.chunks[0]?.data).toHaveLength(100)
    expect(received).toHaveLength(2)
  })

  it('rejects with the abort reason if it is aborted partway, like every call', async () => {
    const controller = new AbortController()
    const reason = new Error('enough')
    const { api, received } = await createTestApi([takeEvents, () => controller.abort(reason)])
    const call = api.events.triggerBulk({ body: { events: events(201) } }, { signal: controller.signal })
    await expect(call).rejects.toBe(reason)
    expect(received).toHaveLength(2)
  })

  it('joins response members with any name', async () => {
    const names = ['__proto__', 'constructor', 'toString', 'created']
    const { api } = await createTestApi((request, response) => {
      const [first] = request.json['subscribers'] as { subscriberId: string }[]
      const members = names.map((name) => `${JSON.stringify(name)}:[${JSON.stringify(first?.subscriberId)}]`)
      response.writeHead(201).end(`{${members.join(',')}}`)
    })
    const { data } = await api.subscribers.createBulk({ body: { subscribers: subscribers(501) } })
    expect(Object.keys(data).sort()).toEqual([...names].sort())
    for (const name of names) expect(Object.getOwnPropertyDescriptor(data, name)?.value).toEqual(['s0', 's500'])
    expect(Object.getPrototypeOf(data)).toBe(Object.prototype)
  })

  it.each([
    ['a list and an object', '[1]', '{"created":[2]}'],
    ['texts', '"abc"', '"def"'],
    ['a list and nothing', '[1]', 'null'],
    ['a member that is a list once', '{"failed":[1]}', '{"failed":null}'],
  ])('lists the responses if they cannot be joined (%s)', async (_what, first, second) => {
    const texts = [first, second]
    const fetch = async () => new Response(texts.shift(), { status: 201 })
    const { api } = await createTestApi(takeEvents, { fetch })
    const failure = await failureOf(api.events.triggerBulk({ body: { events: events(150) } }))
    if (!isApiError(failure, 'BulkFailed')) throw failure
    expect(failure.chunks.map(({ state, data }) => [state, data])).toEqual([
      ['done', JSON.parse(first)],
      ['done', JSON.parse(second)],
    ])
  })

  it('is rejected as a whole if one chunk cannot be sent', async () => {
    const { api, received } = await createTestApi(takeEvents)
    const list = events(250).map((event, index) => (index < 249 ? event : { ...event, payload: { at: [undefined] } }))
    const failure = await failureOf(api.events.triggerBulk({ body: { events: list as never } }))
    expect(failure).toMatchObject({ code: 'RequestInvalid', operation: 'POST /v1/events/trigger/bulk' })
    expect(failure.message).toMatch(/"events\.49\.payload\.at\.0" is undefined.* starts with item 200 of the list/)
    expect(received).toEqual([])
  })

  it('leaks no secret from an earlier response if it partly fails', async () => {
    const echo = json(201, { data: [{ transactionId: `ApiKey ${secretKey}` }] })
    const { api } = await createTestApi([echo, errorDto(413)])
    const failure = await failureOf(api.events.triggerBulk({ body: { events: events(150) } }))
    expect(failure.chunks?.[0]?.data).toEqual([{ transactionId: 'ApiKey [secret]' }])
  })

  it('fails with the plain error if it has only one chunk', async () => {
    const { api } = await createTestApi(errorDto(413))
    expect((await failureOf(api.events.triggerBulk({ body: { events: events(100) } }))).code).toBe('PayloadTooLarge')
  })

  it('rejects a value that is not a list', async () => {
    const { api, received } = await createTestApi(takeEvents)
    const failure = await failureOf(api.events.triggerBulk({ body: {} as never }))
    expect(failure).toMatchObject({ code: 'RequestInvalid', message: 'body.events must be a list.' })
    expect(received).toEqual([])
  })
})
