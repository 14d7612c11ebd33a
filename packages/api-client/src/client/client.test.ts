import { describe, expect, it } from 'vitest'
import { createTestApi, errorDto, failureOf, json, secretKey, text } from '../../fixtures/api.ts'
import { publishedOperations } from '../../fixtures/published-operations.ts'
import { type ApiClient, ApiError, createApiClient } from '../index.ts'

type AnyGroup = Record<string, (input: unknown, options?: unknown) => Promise<unknown>>

const callOf = (api: ApiClient, group: string, name: string) => {
  const call = (api as unknown as Record<string, AnyGroup>)[group]?.[name]
  if (call === undefined) throw new Error(`${group}.${name} is missing`)
  return call
}
const trigger = { body: { name: 'order-shipped', to: 'customer-1', payload: { id: 7 } } }

const groupOf = (name: string) => name.split('.') as [string, string]
const pathNames = (path: string) => [...path.matchAll(/\{(\w+)(?:=([^}]+))?\}/g)]

/** Parameter values for a published path, with the resulting path; one set for each allowed value. */
const fillings = (path: string): readonly { parameters: Record<string, string>; url: string }[] => {
  const choices = pathNames(path).flatMap(([, , values]) => values?.split('|') ?? [])
  return (choices.length === 0 ? [''] : choices).map((choice) => {
    const values = pathNames(path).map(([, name = '', set]) => [name, set === undefined ? 'a/b c' : choice])
    const url = path.replace(/\{\w+\}/g, 'a%2Fb%20c').replace(/\{\w+=[^}]+\}/g, choice)
    return { parameters: Object.fromEntries(values), url }
  })
}

describe('every published operation', () => {
  it.each(publishedOperations)('$name sends $method to $path with the environment’s key', async (published) => {
    const { name, method, path, marks } = published
    const [group, row] = groupOf(name)
    const bulkField = { 'events.triggerBulk': 'events', 'subscribers.createBulk': 'subscribers' }[name]
    const body = bulkField === undefined ? { a: 1 } : { [bulkField]: [] }
    for (const { parameters, url } of fillings(path)) {
      const location = 'https://provider.test/authorize'
      const answer = marks.includes('302') ? json(302, {}, { location }) : json(200, { data: { ok: true } })
      const { api, received } = await createTestApi(answer)
      const result = await callOf(api, group, row)({ ...parameters, ...(marks.includes('body') ? { body } : {}) })
      const isKeyed = method === 'POST' || method === 'PATCH'
      const data = marks.includes('302') ? { location } : marks.includes('204') ? undefined : { ok: true }
      expect(result).toMatchObject({ data, replayed: false, rateLimit: {} })
      expect(Object.hasOwn(result as object, 'idempotencyKey')).toBe(isKeyed)
      expect(received).toHaveLength(1)
      expect(received[0]).toMatchObject({ method, url })
      expect(received[0]?.headers.authorization).toBe(`ApiKey ${secretKey}`)
      expect(received[0]?.headers['idempotency-key'] === undefined).toBe(!isKeyed)
      expect(received[0]?.body).toBe(marks.includes('body') ? JSON.stringify(body) : '')
      expect(received[0]?.headers['content-type']).toBe(marks.includes('body') ? 'application/json' : undefined)
    }
  })

  it.each(publishedOperations)('$name rejects a missing or unexpected body', async (published) => {
    const [group, row] = groupOf(published.name)
    const { api, received } = await createTestApi(json(200, { data: true }))
    const parameters = fillings(published.path)[0]?.parameters
    const call = callOf(api, group, row)
    const bodies = published.marks.includes('body')
      ? [undefined, null, 'text', 7, true, [], () => {}, Symbol('s'), new Date(0), Object.assign(() => {}, { a: 1 })]
      : [{ a: 1 }, null, 'text', () => {}]
    const operation = `${published.method} ${published.path.replace(/=[^}]+/, '')}`
    for (const body of bodies) {
      expect(await failureOf(call({ ...parameters, body }))).toMatchObject({ code: 'RequestInvalid', operation })
    }
    expect(received).toEqual([])
  })

  it.each(publishedOperations.filter(({ marks }) => !marks.includes('302')))(
    '$name reports an empty response if data is expected',
    async ({ name, path, marks }) => {
      const [group, row] = groupOf(name)
      const body = { events: [], subscribers: [] }
      const input = { ...fillings(path)[0]?.parameters, ...(marks.includes('body') ? { body } : {}) }
      for (const answer of [text(204, ''), text(200, ''), text(200, ' \n')]) {
        const { api, received } = await createTestApi(answer)
        const call = callOf(api, group, row)(input)
        if (marks.includes('204')) expect(await call).toMatchObject({ data: undefined })
        else {
          const message = expect.stringContaining('with an empty body')
          expect(await failureOf(call)).toMatchObject({ code: 'AnswerUnreadable', message })
        }
        expect(received).toHaveLength(1)
      }
    },
  )

  it('can be iterated only if it is a list', () => {
    const api = createApiClient({ secretKey, apiUrl: 'https://api.test' })
    const lists = publishedOperations.filter(({ name }) => 'each' in callOf(api, ...groupOf(name)))
    const ways = ['cursor', 'page', 'pageSize', 'offset']
    expect(lists).toEqual(publishedOperations.filter(({ marks }) => marks.some((mark) => ways.includes(mark))))
  })
})

describe('a call', () => {
  it('sends query parameters, repeats the name for lists, and omits absent ones', async () => {
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
  ])('unwraps only a body with a single data member (%#)', async (answer, data) => {
    const { api } = await createTestApi(answer)
    expect((await api.topics.get({ topicKey: 't' })).data).toEqual(data)
  })

  it.each([[null], ['text'], [7], [[]], [() => {}]])('rejects the input and the options %j', async (value) => {
    const { api, received } = await createTestApi(json(200, {}))
    const get = callOf(api, 'topics', 'get')
    expect((await failureOf(get(value))).message).toBe('The input of a call must be an object.')
    expect((await failureOf(get({ topicKey: 't' }, value))).message).toBe('The options of a call must be an object.')
    const list = (api.topics.list as unknown as { each(input: unknown): AsyncIterator<unknown> }).each(value)
    expect((await failureOf(Promise.resolve(list.next()))).message).toBe('The input of a call must be an object.')
    expect(received).toEqual([])
  })

  it.each([[new AbortController()], ['signal'], [null], [{ aborted: false }]])(
    'rejects the signal %j',
    async (signal) => {
      const { api, received } = await createTestApi(json(200, {}))
      const failure = await failureOf(callOf(api, 'topics', 'get')({ topicKey: 't' }, { signal }))
      expect(failure.message).toBe('signal must be an AbortSignal.')
      expect(received).toEqual([])
    },
  )

  it.each([
    ['text'],
    [7],
    [null],
    [[]],
    [{ page: Number.NaN }],
    [{ page: Number.POSITIVE_INFINITY }],
    [{ search: {} }],
    [{ search: new Date(0) }],
    [{ search: '\ud800' }],
    [{ channels: ['email', ['sms']] }],
    [{ channels: ['email', {}] }],
    [{ search: () => {} }],
    [{ search: 1n }],
    [{ channels: [] }],
    [{ channels: ['email', null] }],
    [new Map([['page', 1]])],
    [new URLSearchParams('page=1')],
    [Promise.resolve({ page: 1 })],
    [new Date(0)],
    [() => {}],
  ])('rejects a query that cannot be sent unchanged (%#)', async (query) => {
    const { api, received } = await createTestApi(json(200, {}))
    const failure = await failureOf(callOf(api, 'notifications', 'list')({ query }))
    expect(failure.code).toBe('RequestInvalid')
    expect(failure.message).toMatch(/^query/)
    expect(received).toEqual([])
  })

  it.each([
    [
      'subscribers',
      'getPreferencesByLevel',
      { subscriberId: 's', level: 'all' },
      'level must be "template" or "global".',
    ],
    [
      'inbox',
      'completeAction',
      { subscriberId: 's', notificationId: 'n', type: 'x' },
      'type must be "primary" or "secondary".',
    ],
    ['inbox', 'revertAction', { subscriberId: 's', notificationId: 'n' }, 'type must be "primary" or "secondary".'],
    [
      'subscribers',
      'markAction',
      { subscriberId: 's', messageId: 'm', type: 'toString', body: {} },
      'type must be "primary" or "secondary".',
    ],
  ])('%s.%s accepts only published values: %j', async (group, name, input, message) => {
    const { api, received } = await createTestApi(json(200, {}))
    expect(await failureOf(callOf(api, group, name)(input))).toMatchObject({ code: 'RequestInvalid', message })
    expect(received).toEqual([])
  })

  it('fails with AnswerUnreadable if a successful response is HTML', async () => {
    const { api, received } = await createTestApi(text(200, '<html>', { 'content-type': 'text/html' }))
    expect(await failureOf(api.topics.get({ topicKey: 't' }))).toMatchObject({ code: 'AnswerUnreadable', status: 200 })
    expect(received).toHaveLength(1)
  })

  it.each([['.'], ['..'], [''], [undefined], [7], ['\ud800']])('rejects the path parameter %j', async (topicKey) => {
    const { api, received } = await createTestApi(json(200, {}))
    expect(await failureOf(callOf(api, 'topics', 'get')({ topicKey }))).toMatchObject({ code: 'RequestInvalid' })
    expect(await failureOf(callOf(api, 'topics', 'get')(Object.create({ topicKey: 'inherited' })))).toBeInstanceOf(
      ApiError,
    )
    expect(received).toEqual([])
  })

  it('ignores inherited path parameters', async () => {
    const { api, received } = await createTestApi(json(200, {}))
    Reflect.set(Object.prototype, 'topicKey', 'polluted')
    try {
      expect((await failureOf(callOf(api, 'topics', 'get')({}))).code).toBe('RequestInvalid')
    } finally {
      Reflect.deleteProperty(Object.prototype, 'topicKey')
    }
    expect(received).toEqual([])
  })

  it('rejects unknown parameters, and a body that is not JSON', async () => {
    const { api } = await createTestApi(json(200, {}))
    const misspelt = await failureOf(callOf(api, 'topics', 'get')({ topicKey: 't', topic: 'x' }))
    expect(misspelt.message).toBe('/v2/topics/{topicKey} has no parameter topic.')
    const cycle: Record<string, unknown> = {}
    cycle['self'] = cycle
    let deep: unknown = {}
    for (let level = 0; level < 100_000; level++) deep = { deep }
    for (const body of [{ id: 1n }, cycle, deep, { toJSON: () => 'text' }, { toJSON: () => undefined }]) {
      const failure = await failureOf(callOf(api, 'events', 'trigger')({ body }))
      expect(failure.code).toBe('RequestInvalid')
      expect(failure.message).toMatch(/serialized as (?:a )?JSON/)
    }
  })

  it('returns the location of a redirect if that is the result', async () => {
    const location = 'https://provider.example/authorize?state=1'
    const { api } = await createTestApi((_request, response) => response.writeHead(302, { location }).end())
    const input = { subscriberId: 's', providerId: 'slack', query: { hmacHash: 'h', environmentId: 'e' } }
    expect((await api.subscribers.oauth(input)).data).toEqual({ location })
    const wrapped = await createTestApi(json(200, { data: { url: location } }))
    expect((await wrapped.api.subscribers.oauth(input)).data).toEqual({ url: location })
    const page = await createTestApi((_request, response) =>
      response.writeHead(200, { 'content-type': 'text/html' }).end('<p>Done</p>'),
    )
    expect((await page.api.subscribers.oauth(input)).data).toEqual({ body: '<p>Done</p>' })
  })

  it('can share its signal with any number of calls without a warning', async () => {
    const warnings: Error[] = []
    const onWarning = (warning: Error) => warnings.push(warning)
    process.on('warning', onWarning)
    const { signal } = new AbortController()
    const { api, received } = await createTestApi((_request, response) =>
      setTimeout(() => json(200, [])(_request, response, response.socket as never), 20),
    )
    await Promise.all(Array.from({ length: 40 }, () => api.feeds.list({}, { signal })))
    const busy = await createTestApi([errorDto(503), errorDto(503), json(200, [])], {
      sleep: undefined,
      random: () => 0,
    })
    await Promise.all(Array.from({ length: 20 }, () => busy.api.feeds.list({}, { signal })))
    await new Promise((resolve) => setTimeout(resolve, 5))
    process.off('warning', onWarning)
    expect(received).toHaveLength(40)
    expect(warnings).toEqual([])
  })

  it('rejects with the abort reason, even during a delay or while a response is read', async () => {
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
