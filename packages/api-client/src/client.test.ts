import { readdirSync, readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { createTestApi, failureOf, json, secretKey, serve, text } from '../fixtures/api.ts'
import { type ApiClient, ApiError, createApiClient, isApiError, operations } from './index.ts'

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

describe('the secret', () => {
  it('is sent to the configured address and to no other: redirects are not followed', async () => {
    const elsewhere: string[] = []
    const other = await serve((request, response) => {
      elsewhere.push(request.url)
      response.end('{}')
    })
    for (const status of [301, 302, 303, 307, 308]) {
      const { api, received } = await createTestApi((_request, response) =>
        response.writeHead(status, { location: other }).end(),
      )
      expect(await failureOf(api.events.trigger(trigger))).toMatchObject({
        code: 'Redirected',
        status,
        location: other,
      })
      expect(received).toHaveLength(1)
    }
    expect(elsewhere).toEqual([])
  })

  it('stays below the base address, whatever a caller hands over', async () => {
    const urls: string[] = []
    const fetch: typeof globalThis.fetch = async (input) => {
      urls.push(String(input))
      return Response.json({})
    }
    const { api } = await createTestApi(json(200, {}), { apiUrl: 'https://api.test/base/', fetch })
    for (const id of ['//evil.test', '\\\\evil.test', 'x?y#z', '@evil.test', '%2e%2e', 'a/../..']) {
      await api.topics.get({ topicKey: id })
      await callOf(api, 'topics', 'get')({ topicKey: id }, { baseUrl: 'https://evil.test', secretKey: 'x' })
    }
    for (const url of urls) expect(new URL(url).href).toMatch(/^https:\/\/api\.test\/base\/v2\/topics\/[^/]+$/)
    expect(urls).toHaveLength(12)
  })

  it('is in no error and in no printed client', async () => {
    const { api } = await createTestApi(text(400, `bad header: ApiKey ${secretKey}`))
    const failure = await failureOf(api.topics.get({ topicKey: 't' }))
    expect(failure.message).toBe('bad header: ApiKey [secret]')
    const { inspect } = await import('node:util')
    const refused = await failureOf(
      createApiClient({ secretKey, apiUrl: 'http://127.0.0.1:1', maxRetries: 0 }).topics.get({ topicKey: 't' }),
    )
    expect(inspect([failure, refused, api], { depth: 9, showHidden: true })).not.toContain(secretKey)
  })

  it('is refused when it is empty or cannot be sent, without being told', () => {
    for (const bad of ['', ' ', 'a b', 'key\n', 'schlüssel', undefined]) {
      const make = () => createApiClient({ secretKey: bad as string, apiUrl: 'https://api.test' })
      expect(make).toThrow('secretKey must be a secret key of the environment, without white space.')
    }
  })
})

describe('the address', () => {
  const urlOf = async (options: Partial<Parameters<typeof createApiClient>[0]>) => {
    let url = ''
    const fetch: typeof globalThis.fetch = async (input) => {
      url = String(input)
      return Response.json({})
    }
    await createApiClient({ secretKey, apiUrl: '', fetch, ...options }).feeds.list()
    return url
  }
  const regions = { us: 'https://us.api.test', eu: 'https://eu.api.test' }

  it('is that of the region, the US by default, or of a self-hosted API with its path', async () => {
    expect(await urlOf({ apiUrl: regions })).toBe('https://us.api.test/v1/feeds')
    expect(await urlOf({ apiUrl: regions, region: 'eu' })).toBe('https://eu.api.test/v1/feeds')
    expect(await urlOf({ apiUrl: 'https://host.test:8443/api//' })).toBe('https://host.test:8443/api/v1/feeds')
  })

  it.each([
    [''],
    ['api.test'],
    ['ftp://api.test'],
    ['https://user@api.test'],
    ['https://api.test?x'],
    ['https://api.test#x'],
  ])('is refused when it is "%s"', (apiUrl) => {
    expect(() => createApiClient({ secretKey, apiUrl })).toThrow(/apiUrl must be/)
  })
})

describe('the package', () => {
  it('refuses to run in a browser', async () => {
    const scope = globalThis as Record<string, unknown>
    scope['window'] = { document: {} }
    try {
      createApiClient({ secretKey, apiUrl: 'https://api.test' })
      expect.unreachable()
    } catch (error) {
      expect(isApiError(error, 'BrowserRefused')).toBe(true)
    } finally {
      delete scope['window']
    }
  })

  it('has no dependency and imports nothing but its own files', () => {
    const root = new URL('..', import.meta.url)
    expect(JSON.parse(readFileSync(new URL('package.json', root), 'utf8'))).not.toHaveProperty('dependencies')
    const files = readdirSync(new URL('src', root), { recursive: true, encoding: 'utf8' })
    for (const file of files.filter((name) => name.endsWith('.ts') && !name.endsWith('.test.ts'))) {
      const source = readFileSync(new URL(`src/${file}`, root), 'utf8')
      for (const [, from = ''] of source.matchAll(/from '([^']+)'/g)) expect(from).toMatch(/^\.\.?\//)
      expect(source).not.toMatch(/\bprocess\.|\bBuffer\b|require\(|import\(/)
    }
  })
})
