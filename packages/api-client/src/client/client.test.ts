import { describe, expect, it } from 'vitest'
import { createTestApi, failureOf, json, secretKey, text } from '../../fixtures/api.ts'
import { type ApiClient, ApiError, createApiClient, operations } from '../index.ts'

type AnyGroup = Record<string, (input: unknown, options?: unknown) => Promise<unknown>>

const all = Object.entries(operations).flatMap(([group, rows]) =>
  Object.entries(rows).map(([name, row]) => ({ group, name, ...row })),
)
const callOf = (api: ApiClient, group: string, name: string) => {
  const call = (api as unknown as Record<string, AnyGroup>)[group]?.[name]
  if (call === undefined) throw new Error(`${group}.${name} is missing`)
  return call
}
const trigger = { body: { name: 'order-shipped', to: 'customer-1', payload: { id: 7 } } }

describe('every operation', () => {
  it('of the specification and the lists beside it is there', () => {
    expect(all.map(({ method, path }) => `${method} ${path}`)).toEqual(
      expect.arrayContaining([
        'GET /v1/topics',
        'DELETE /v2/topics/{topicKey}',
        'DELETE /v1/feeds/{feedId}',
        'GET /v1/environment-variables/{variableKey}',
        'PUT /v1/subscribers/{subscriberId}/credentials',
        'GET /v1/subscribers/{subscriberId}/credentials/{providerId}/oauth',
        'DELETE /v1/workflows/{workflowId}',
        'GET /v1/blueprints/group-by-category',
        'POST /v1/events/trigger',
        'GET /v2/subscribers',
        'POST /v1/events/trigger/bulk',
        'POST /v1/subscribers/bulk',
        'POST /v2/subscribers',
      ]),
    )
    expect(all).toHaveLength(new Set(all.map(({ method, path }) => `${method} ${path}`)).size)
    expect(all.length).toBeGreaterThanOrEqual(120)
  })

  it.each(all)(
    '$group $name is a $method of $path with the key of the environment',
    async ({ group, name, method, path, bulk }) => {
      const { api, received } = await createTestApi(json(200, { data: { ok: true } }))
      const names = [...path.matchAll(/\{(\w+)\}/g)].map(([, parameter = '']) => parameter)
      const hasBody = method !== 'GET' && method !== 'DELETE'
      const body = hasBody ? { body: bulk === undefined ? { a: 1 } : { [bulk.field]: [] } } : {}
      const input = { ...Object.fromEntries(names.map((parameter) => [parameter, 'a/b c'])), ...body }
      const result = await callOf(api, group, name)(input)
      const isKeyed = method === 'POST' || method === 'PATCH'
      expect(result).toMatchObject({ data: { ok: true }, status: 200, replayed: false, rateLimit: {} })
      expect(Object.hasOwn(result as object, 'idempotencyKey')).toBe(isKeyed)
      expect(received).toHaveLength(1)
      expect(received[0]).toMatchObject({ method, url: path.replace(/\{\w+\}/g, 'a%2Fb%20c') })
      expect(received[0]?.headers.authorization).toBe(`ApiKey ${secretKey}`)
      expect(received[0]?.headers['idempotency-key'] === undefined).toBe(!isKeyed)
      expect(received[0]?.body).toBe(hasBody ? JSON.stringify(body.body) : '')
      expect(received[0]?.headers['content-type']).toBe(hasBody ? 'application/json' : undefined)
    },
  )
})

describe('a call', () => {
  it('sends query parameters, lists as repeated keys, and leaves absent ones out', async () => {
    const { api, received } = await createTestApi(json(200, { data: [], page: 0, pageSize: 10, hasMore: false }))
    await api.notifications.list({ query: { channels: ['in_app', 'email'], page: 0, search: 'a&b' } })
    expect(received[0]?.url).toBe('/v1/notifications?channels=in_app&channels=email&page=0&search=a%26b')
  })

  it.each([
    [json(200, { data: { _id: '1' } }), { _id: '1' }],
    [json(200, { _id: '1' }), { _id: '1' }],
    [json(200, { data: false }), false],
    [json(200, { data: [], next: null, previous: null }), { data: [], next: null, previous: null }],
    [json(201, [1]), [1]],
    [text(204, ''), undefined],
    [text(200, ''), undefined],
  ])('unwraps a body that is only data, and no other (%#)', async (answer, data) => {
    const { api } = await createTestApi(answer)
    expect((await api.topics.get({ topicKey: 't' })).data).toEqual(data)
  })

  it('gives AnswerUnreadable for a success that is a page', async () => {
    const { api, received } = await createTestApi(text(200, '<html>', { 'content-type': 'text/html' }))
    expect(await failureOf(api.topics.get({ topicKey: 't' }))).toMatchObject({ code: 'AnswerUnreadable', status: 200 })
    expect(received).toHaveLength(1)
  })

  it.each([['.'], ['..'], [''], [undefined], [7], ['\ud800']])('refuses the path parameter %j', async (topicKey) => {
    const { api, received } = await createTestApi(json(200, {}))
    expect(await failureOf(callOf(api, 'topics', 'get')({ topicKey }))).toMatchObject({ code: 'RequestInvalid' })
    expect(await failureOf(callOf(api, 'topics', 'get')(Object.create({ topicKey: 'inherited' })))).toBeInstanceOf(
      ApiError,
    )
    expect(received).toEqual([])
  })

  it('refuses a parameter the operation does not have, and a body that is not JSON', async () => {
    const { api } = await createTestApi(json(200, {}))
    const misspelt = await failureOf(callOf(api, 'topics', 'get')({ topicKey: 't', topic: 'x' }))
    expect(misspelt.message).toBe('topic is no parameter of /v2/topics/{topicKey}.')
    const big = await failureOf(callOf(api, 'events', 'trigger')({ body: { id: 1n } }))
    expect(big.code).toBe('RequestInvalid')
  })

  it('gives the address of a redirect where it is the answer', async () => {
    const location = 'https://provider.example/authorize?state=1'
    const { api } = await createTestApi((_request, response) => response.writeHead(302, { location }).end())
    const input = { subscriberId: 's', providerId: 'slack', query: { hmacHash: 'h', environmentId: 'e' } }
    expect((await api.subscribers.oauth(input)).data).toEqual({ location })
  })

  it('ends when its signal aborts, with the reason, also while it waits and while an answer comes', async () => {
    const reason = new Error('enough')
    const early = new AbortController()
    const first = await createTestApi(() => early.abort(reason))
    await expect(first.api.events.trigger(trigger, { signal: early.signal })).rejects.toBe(reason)
    await expect(first.api.events.trigger(trigger, { signal: early.signal })).rejects.toBe(reason)
    expect(first.received).toHaveLength(1)
    const waiting = new AbortController()
    const second = await createTestApi((_request, response) => {
      response.writeHead(503).end()
      setTimeout(() => waiting.abort(reason), 5)
    })
    const api = createApiClient({ secretKey, apiUrl: second.url })
    await expect(api.events.trigger(trigger, { signal: waiting.signal })).rejects.toBe(reason)
    const late = new AbortController()
    const third = await createTestApi((_request, response) => {
      response.writeHead(200).write('{')
      setTimeout(() => late.abort(reason), 5)
    })
    await expect(third.api.events.trigger(trigger, { signal: late.signal })).rejects.toBe(reason)
  })
})
