import { once } from 'node:events'
import { type AddressInfo, createServer } from 'node:net'
import { describe, expect, it } from 'vitest'
import { createTestApi, errorDto, failureOf, json, serve, text } from '../../fixtures/api.ts'
import { createApiClient, isApiError } from '../index.ts'

const trigger = { body: { name: 'w', to: 's' } }
const done = json(201, { data: { acknowledged: true, status: 'processed' } })

describe('a call', () => {
  it.each([
    ['a 429', errorDto(429)],
    ['a 503 in text', text(503, 'wait')],
    [
      'a connection that breaks before the answer',
      (_request: unknown, _response: unknown, socket: { destroy(): void }) => socket.destroy(),
    ],
    [
      'a connection that breaks amid the answer',
      (
        _request: unknown,
        response: { writeHead(status: number, headers: object): { write(text: string, done: () => void): void } },
        socket: { destroy(): void },
      ) => response.writeHead(200, { 'content-length': '100' }).write('{', () => socket.destroy()),
    ],
  ])('is retried after %s, with the same key and body', async (_what, failing) => {
    const { api, received, waits } = await createTestApi([failing as never, failing as never, done])
    const result = await api.events.trigger(trigger)
    expect(result.data.status).toBe('processed')
    expect(received).toHaveLength(3)
    expect(new Set(received.map(({ headers }) => headers['idempotency-key']))).toEqual(new Set([result.idempotencyKey]))
    expect(new Set(received.map(({ body }) => body)).size).toBe(1)
    expect(waits).toEqual([250, 500])
  })

  it.each([400, 401, 403, 404, 405, 409, 413, 414, 415, 418, 422, 500, 501, 505])(
    'is not retried after a %i',
    async (status) => {
      const { api, received } = await createTestApi(errorDto(status))
      await failureOf(api.events.trigger(trigger))
      expect(received).toHaveLength(1)
    },
  )

  it.each([408, 502, 503, 504, 521, 522, 524])('is retried after a %i for any method', async (status) => {
    const { api, received } = await createTestApi((request, response, socket) => {
      const isFirst = received.filter(({ method }) => method === request.method).length === 1
      ;(isFirst ? errorDto(status) : json(200, { data: { ok: true } }))(request, response, socket)
    })
    const topicKey = 't'
    await api.topics.get({ topicKey })
    await api.topics.create({ body: { key: topicKey } })
    await api.topics.update({ topicKey, body: { name: 'T' } })
    await api.topics.delete({ topicKey })
    await api.subscribers.update({ subscriberId: 's', body: {} })
    expect(received.map(({ method }) => method)).toEqual(
      ['GET', 'POST', 'PATCH', 'DELETE', 'PUT'].flatMap((method) => [method, method]),
    )
    for (const index of [2, 4]) {
      expect(received[index]?.headers['idempotency-key']).toBeTypeOf('string')
      expect(received[index + 1]?.headers['idempotency-key']).toBe(received[index]?.headers['idempotency-key'])
    }
  })

  it.each([429, 502, 503])(
    'is not retried after a stored %i, because a retry would get the same response',
    async (status) => {
      const { api, received } = await createTestApi(errorDto(status, {}, { 'idempotency-replay': 'true' }))
      expect(await failureOf(api.events.trigger(trigger))).toMatchObject({ status, replayed: true })
      expect(received).toHaveLength(1)
    },
  )

  it('stops after the allowed number of retries', async () => {
    const { api, received, waits } = await createTestApi(errorDto(503))
    expect((await failureOf(api.events.trigger(trigger))).code).toBe('Unavailable')
    expect(received).toHaveLength(4)
    expect(waits).toEqual([250, 500, 1000])
  })

  it('retries a GET without a key', async () => {
    const { api, received } = await createTestApi([errorDto(503), json(200, [])])
    await api.feeds.list()
    expect(received.map(({ headers }) => headers['idempotency-key'])).toEqual([undefined, undefined])
  })

  it('has a new key for each call', async () => {
    const { api, received } = await createTestApi(done)
    await api.events.trigger(trigger)
    await api.events.trigger(trigger)
    expect(new Set(received.map(({ headers }) => headers['idempotency-key'])).size).toBe(2)
  })

  it('reports whether a response was replayed, for successes and errors', async () => {
    const headers = { 'idempotency-replay': 'true' }
    const { api } = await createTestApi([json(201, { data: {} }, headers), errorDto(500, {}, headers)])
    expect((await api.events.trigger(trigger)).replayed).toBe(true)
    expect((await failureOf(api.events.trigger(trigger))).replayed).toBe(true)
  })
})

describe('a delay', () => {
  const waitsOf = async (headers: Record<string, string>, status = 429, options = {}) => {
    const { api, waits } = await createTestApi([errorDto(status, {}, headers), done], options)
    const failure = await api.events.trigger(trigger).then(
      () => undefined,
      (error: unknown) => error,
    )
    return { waits, failure }
  }

  it.each([
    ['7', 7000],
    ['0', 0],
    ['60', 60_000],
    ['Fri, 20 Nov 2026 10:00:30 GMT', 30_000],
    ['-5', 250],
    ['NaN', 250],
    ['soon', 250],
    ['1e9', 250],
    ['', 250],
    ['Fri, 20 Nov 2026 09:00:00 GMT', 250],
    ['1, 7', 7000],
    ['7, 1', 7000],
    ['soon, 7', 7000],
    ['Fri, 20 Nov 2026 10:00:30 GMT, 7', 30_000],
    ['7, Fri, 20 Nov 2026 10:00:30 GMT, Friday, 20-Nov-26 10:00:40 GMT', 40_000],
  ])('waits for Retry-After "%s": %i ms', async (value, ms) => {
    const nowMs = () => Date.parse('2026-11-20T10:00:00.000Z')
    expect((await waitsOf({ 'retry-after': value }, 429, { nowMs })).waits).toEqual([ms])
    expect((await waitsOf({ 'retry-after': value }, 503, { nowMs })).waits).toEqual([ms])
  })

  it.each([['61'], ['999999999'], ['1790000000'], ['Fri, 20 Nov 2099 10:00:00 GMT']])(
    'longer than the maximum ends the call immediately: Retry-After "%s"',
    async (value) => {
      const { waits, failure } = await waitsOf({ 'retry-after': value })
      expect(waits).toEqual([])
      expect(isApiError(failure, 'RateLimited') && failure.retryAfterMs).toBeGreaterThan(60_000)
    },
  )

  it('uses RateLimit-Reset if Retry-After is missing, and Retry-After if both are set', async () => {
    expect((await waitsOf({ 'ratelimit-reset': '4' })).waits).toEqual([4000])
    expect((await waitsOf({ 'ratelimit-reset': '4', 'retry-after': '2' })).waits).toEqual([2000])
    expect((await waitsOf({ 'ratelimit-reset': '1790000000' })).waits).toEqual([])
  })

  it('differs between clients, and is never shorter than requested', async () => {
    expect((await waitsOf({ 'retry-after': '2' }, 429, { random: () => 0.999 })).waits[0]).toBeCloseTo(2249.75)
    expect((await waitsOf({}, 503, { random: () => 0.999 })).waits[0]).toBeCloseTo(499.75)
  })
})

describe('the limits', () => {
  it('apply to the wait for a missing or slow response, and to a fetch that ignores its signal', async () => {
    const url = await serve((request, response) => {
      if (request.url.includes('feeds')) response.writeHead(200).write('[')
    })
    const options = { secretKey: 'k', apiUrl: url, timeoutMs: 30, maxRetries: 0 }
    const api = createApiClient(options)
    const failure = await failureOf(api.topics.create({ body: { key: 't' } }, { idempotencyKey: 'k-1' }))
    expect(failure).toMatchObject({
      code: 'TimedOut',
      idempotencyKey: 'k-1',
      message: 'The API did not answer within 30 ms.',
    })
    expect((await failureOf(api.feeds.list())).code).toBe('TimedOut')
    const deaf = createApiClient({ ...options, fetch: () => new Promise(() => {}) })
    expect((await failureOf(deaf.feeds.list())).code).toBe('TimedOut')
  })

  it('apply to the size of an endless response', async () => {
    let isClosed = false
    const { api, received } = await createTestApi(
      (_request, response) => {
        const timer = setInterval(() => response.write('x'.repeat(1000)), 1)
        response.on('close', () => {
          clearInterval(timer)
          isClosed = true
        })
      },
      { maxAnswerBytes: 10_000 },
    )
    const failure = await failureOf(api.topics.create({ body: { key: 't' } }, { idempotencyKey: 'k-1' }))
    expect(failure).toMatchObject({ code: 'AnswerTooLarge', status: 200, idempotencyKey: 'k-1' })
    expect(failure.message).toContain('larger than 10000 bytes')
    expect(received).toHaveLength(1)
    await expect.poll(() => isClosed).toBe(true)
  })

  it('allow a response of exactly the maximum size', async () => {
    const body = JSON.stringify(['é'.repeat(100)])
    const size = new TextEncoder().encode(body).length
    const { api } = await createTestApi(text(200, body), { maxAnswerBytes: size })
    expect((await api.feeds.list()).data).toEqual(['é'.repeat(100)])
  })

  it('an address on which nothing listens gives ConnectionFailed with its cause', async () => {
    const server = createServer().listen(0, '127.0.0.1')
    await once(server, 'listening')
    const { port } = server.address() as AddressInfo
    await new Promise((resolve) => server.close(resolve))
    const api = createApiClient({ secretKey: 'k', apiUrl: `http://127.0.0.1:${port}`, maxRetries: 0 })
    const failure = await failureOf(api.feeds.list())
    expect(failure).toMatchObject({
      code: 'ConnectionFailed',
      message: expect.stringContaining('(ECONNREFUSED)'),
      cause: expect.any(Error),
    })
  })
})

describe('an idempotency key', () => {
  it.each([['a'], ['x'.repeat(255)], ['with space inside'], ['a:b/c=ü'.replace('ü', 'u')]])(
    'can be "%s"',
    async (idempotencyKey) => {
      const { api, received } = await createTestApi(done)
      expect((await api.events.trigger(trigger, { idempotencyKey })).idempotencyKey).toBe(idempotencyKey)
      expect(received[0]?.headers['idempotency-key']).toBe(idempotencyKey)
    },
  )

  it.each([[''], ['x'.repeat(256)], [' a'], ['a\n'], ['ü'], ['a\u0000b']])(
    'must not be "%s"',
    async (idempotencyKey) => {
      const { api, received } = await createTestApi(done)
      const failure = await failureOf(api.events.trigger(trigger, { idempotencyKey }))
      expect(failure).toMatchObject({ code: 'RequestInvalid', message: expect.stringContaining('1 to 255') })
      expect(received).toEqual([])
    },
  )

  it('is rejected if the method does not use it', async () => {
    const { api, received } = await createTestApi(done)
    const failures = [
      await failureOf(api.feeds.list({}, { idempotencyKey: 'k' })),
      await failureOf(api.topics.delete({ topicKey: 't' }, { idempotencyKey: 'k' })),
      await failureOf(api.subscribers.update({ subscriberId: 's', body: {} }, { idempotencyKey: 'k' })),
    ]
    expect(failures.map(({ code }) => code)).toEqual(['RequestInvalid', 'RequestInvalid', 'RequestInvalid'])
    expect(received).toEqual([])
  })
})
