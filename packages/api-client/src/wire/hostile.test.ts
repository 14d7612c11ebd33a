import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { draws } from '../../../../test/scope.ts'
import { encodingsOf } from '../../fixtures/encodings.ts'
import { leaks, textsOf } from '../../fixtures/leaks.ts'
import { closedUrl, startRawServer } from '../../fixtures/raw-server.ts'
import { type ApiClientOptions, createApiClient, isApiError } from '../index.ts'

const secretKey = 'sk-live/0123456789_AbCdEf'
const runs = draws(100, 5000)

interface Settled {
  readonly data?: unknown
  readonly error?: unknown
}

const settle = (call: Promise<{ data: unknown }>): Promise<Settled> =>
  call.then(
    ({ data }) => ({ data }),
    (error: unknown) => ({ error }),
  )

const client = (apiUrl: string, options: Partial<ApiClientOptions> = {}) =>
  createApiClient({ secretKey, apiUrl, maxRetries: 0, timeoutMs: 500, ...options })

const form = encodingsOf(secretKey)
const line = form.map((text) => text.replace(/[\r\n\0]/g, ''))
const rarely = <T>(arbitrary: fc.Arbitrary<T>) =>
  fc.oneof({ weight: 5, arbitrary: fc.constant(undefined) }, { weight: 1, arbitrary })
const status = fc.oneof(
  { weight: 9, arbitrary: fc.constantFrom(200, 201, 204, 302, 307, 400, 401, 409, 422, 429, 500, 503) },
  { weight: 1, arbitrary: fc.nat(999) },
)

/** Bodies that repeat the secret: as text, as JSON, in names, in every member that an error is built from. */
const body = fc.oneof(
  form,
  fc
    .tuple(fc.constantFrom('message', 'path', 'errorId', 'timestamp', 'ctx', 'errors', 'other'), form)
    .map(
      ([name, text]) => `{${JSON.stringify(name)}:{${JSON.stringify(text)}:{"messages":[${JSON.stringify(text)}]}}}`,
    ),
  fc
    .tuple(fc.constantFrom('message', 'path', 'errorId', 'timestamp'), form)
    .map(([name, text]) => JSON.stringify({ [name]: text })),
  form.map((text) => JSON.stringify({ errors: [{ field: text, message: text, value: text }] })),
  form.map((text) => JSON.stringify({ message: [text, { text }] })),
  form.map((text) => `<html>${text}</html>`),
  form.map((text) => `{"message":"${text}`),
  fc.string(),
)

const header = fc.oneof(
  line.map((text) => `location: https://evil.test/${text}`),
  line.map((text) => `location: ${text}`),
  line.map((text) => `ratelimit-policy: 100;comment="${text}";category=${text}`),
  line.map((text) => `retry-after: ${text}`),
  line.map((text) => `x-echo: ${text}`),
  line.map((text) => `${text}: x`),
  line.map((text) => `content-type: ${text}`),
  line.map((text) => `content-encoding: ${text}`),
  line.map((text) => `content-length: ${text}`),
  fc.constantFrom(
    'content-encoding: gzip',
    'content-encoding: br',
    'transfer-encoding: chunked',
    'transfer-encoding: chunked, identity',
    'content-length: 5',
    'content-length: -1',
    'content-length: 99999999999',
    'idempotency-replay: true',
    'content-type: text/html',
    'set-cookie: a=b',
    ': empty',
    'no colon',
  ),
)

/** Complete, malformed and truncated responses. */
const answer = fc
  .record({
    status,
    reason: fc.oneof(line, fc.constant('OK')),
    headers: fc.array(header, { maxLength: 4 }),
    body,
    hasLength: fc.boolean(),
    cut: rarely(fc.nat(400)),
    junk: rarely(line),
  })
  .map(({ status, reason, headers, body, hasLength, cut, junk }) => {
    const length = hasLength ? [`content-length: ${Buffer.byteLength(body)}`] : []
    const head = [`HTTP/1.1 ${status} ${reason}`, ...headers, ...length].join('\r\n')
    const bytes = Buffer.from(`${junk ?? ''}${head}\r\n\r\n${body}`)
    return cut === undefined ? bytes : bytes.subarray(0, cut)
  })

describe('a hostile server', () => {
  it(
    'causes only client errors, which never contain the secret',
    async () => {
      const server = await startRawServer()
      const api = client(server.url)
      const kinds = new Set<string>()
      await fc.assert(
        fc.asyncProperty(answer, fc.boolean(), async (bytes, isPost) => {
          server.answerWith((socket) => socket.end(bytes))
          const call = isPost ? api.topics.create({ body: { key: 't' } }) : api.topics.get({ topicKey: 't' })
          const { error, data } = await settle(call)
          if (error === undefined) {
            kinds.add('data')
            expect(data).toBeDefined()
            return
          }
          if (!isApiError(error)) throw error
          kinds.add(error.code)
          expect(textsOf(error).filter((text) => leaks(text, secretKey))).toEqual([])
          expect(error.message.length).toBeLessThanOrEqual(1000)
        }),
        { numRuns: runs },
      )
      // The generated responses must cover all of these kinds.
      for (const kind of ['ConnectionFailed', 'Redirected', 'BadRequest', 'AnswerUnreadable', 'ValidationFailed']) {
        expect(kinds).toContain(kind)
      }
    },
    300_000 + runs * 200,
  )

  it('leaks no request data through a response that is not HTTP', async () => {
    const server = await startRawServer()
    server.answerWith((socket) => socket.end(`HTTP/1.1 200 OK\r\nauthorization ApiKey ${secretKey}\r\n\r\n`))
    const { error } = await settle(client(server.url).topics.get({ topicKey: 't' }))
    if (!isApiError(error, 'ConnectionFailed')) throw error
    expect(error.cause).toBeInstanceOf(Error)
    expect(textsOf(error).filter((text) => leaks(text, secretKey))).toEqual([])
  })

  it('that is unreachable is reported with the connection error’s code', async () => {
    const url = await closedUrl()
    const { error } = await settle(client(url).topics.get({ topicKey: 't' }))
    expect(error).toMatchObject({ code: 'ConnectionFailed', cause: { cause: { code: 'ECONNREFUSED' } } })
  })

  it.each([
    ['lists', (levels: number) => '['.repeat(levels) + ']'.repeat(levels)],
    ['objects', (levels: number) => `${'{"a":'.repeat(levels)}1${'}'.repeat(levels)}`],
    ['lists that do not end', (levels: number) => '['.repeat(levels)],
  ])('must not nest %s deeper than 200 levels', async (_what, nest) => {
    const api = (text: string) =>
      client('https://api.test', { fetch: async () => new Response(text) }).topics.get({ topicKey: 't' })
    for (const levels of [201, 5000, 1_000_000]) {
      const { error } = await settle(api(nest(levels)))
      expect(error).toMatchObject({ code: 'AnswerUnreadable', status: 200 })
      expect(Reflect.get(error as object, 'isBodyCut') === true).toBe(nest(levels).length > 65_536)
      expect(() => JSON.stringify(error)).not.toThrow()
    }
    const brackets = `"${'[{'.repeat(300)}\\"${'[{'.repeat(300)}\\\\"`
    const { data } = await settle(api(`{"a":${'['.repeat(199)}${brackets},${brackets}${']'.repeat(199)}}`))
    expect(data).toBeDefined()
  })

  it.each([
    ['lists', '[],', '['],
    ['objects', '{},', '['],
    ['numbers', '1,', '['],
    ['names', '"a":{"b":1},', '{'],
  ])('must not send more than a million values, here %s', async (_what, piece, open) => {
    const close = open === '{' ? '"z":1}' : '1]'
    const api = (count: number) =>
      client('https://api.test', { fetch: async () => new Response(`${open}${piece.repeat(count)}${close}`) })
    const { error } = await settle(api(piece.length > 5 ? 600_000 : 1_000_001).topics.get({ topicKey: 't' }))
    expect(error).toMatchObject({
      code: 'AnswerUnreadable',
      message: expect.stringContaining('has more than a million values'),
    })
    expect((await settle(api(200_000).topics.get({ topicKey: 't' }))).data).toBeDefined()
  })

  it('can send a successful response in a very large number of one-byte chunks', async () => {
    const server = await startRawServer()
    const api = client(server.url, { timeoutMs: 30_000 })
    const pieces = 200_000
    server.answerWith((socket) => {
      socket.write('HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n1\r\n[\r\n')
      for (let sent = 0; sent < pieces; sent += 1000) socket.write('1\r\n \r\n'.repeat(1000))
      socket.write('1\r\n]\r\n0\r\n\r\n')
    })
    const { data } = await settle(api.topics.get({ topicKey: 't' }))
    expect(data).toEqual([])
  }, 30_000)

  it('that never finishes an error response is abandoned in time, and its status is kept', async () => {
    const server = await startRawServer()
    const api = client(server.url, { timeoutMs: 5000 })
    const startMs = performance.now()
    server.answerWith((socket) => {
      socket.write('HTTP/1.1 400 Bad Request\r\n\r\n')
      const timer = setInterval(() => socket.write('x'.repeat(100_000)), 1)
      socket.on('close', () => clearInterval(timer))
    })
    const { error } = await settle(api.topics.get({ topicKey: 't' }))
    expect(error).toMatchObject({ code: 'BadRequest', isBodyCut: true })
    expect(performance.now() - startMs).toBeLessThan(4000)
    server.answerWith((socket) => {
      socket.write('HTTP/1.1 400 Bad Request\r\n\r\n')
    })
    const { error: slow } = await settle(client(server.url, { timeoutMs: 100 }).topics.get({ topicKey: 't' }))
    expect(slow).toMatchObject({ code: 'TimedOut' })
  })
})

describe('a fetch that fails', () => {
  const failing = (reason: unknown) =>
    settle(client('https://api.test', { fetch: () => Promise.reject(reason) }).topics.get({ topicKey: 't' }))

  it('keeps only names, messages, codes and causes of the thrown error', async () => {
    const request = { headers: { authorization: `ApiKey ${secretKey}` } }
    const cause = Object.assign(new Error(`low ${secretKey}`), {
      code: 'EPIPE',
      request,
      rawPacket: Buffer.from(secretKey),
    })
    const errors = [Object.assign(new Error(secretKey), { code: 'ECONNREFUSED' })]
    const { error } = await failing(Object.assign(new TypeError(`failed ${secretKey}`, { cause }), { request, errors }))
    if (!isApiError(error, 'ConnectionFailed')) throw error
    expect(error.cause).toMatchObject({
      name: 'TypeError',
      message: 'failed [secret]',
      cause: { message: 'low [secret]', code: 'EPIPE' },
      errors: [{ message: '[secret]', code: 'ECONNREFUSED' }],
    })
    expect(error.cause).not.toHaveProperty('request')
    expect(textsOf(error).filter((text) => leaks(text, secretKey))).toEqual([])
  })

  it('leaks no part of the secret if the body of an error response is incomplete', async () => {
    for (let length = 4; length < secretKey.length; length++) {
      let count = 0
      const stream = new ReadableStream({
        pull(controller) {
          if (count++ > 0) throw new Error('broken')
          controller.enqueue(new TextEncoder().encode(`${'.'.repeat(900)}${secretKey.slice(0, length)}`))
        },
      })
      const fetch = async () => new Response(stream, { status: 400 })
      const { error } = await settle(client('https://api.test', { fetch }).topics.get({ topicKey: 't' }))
      expect(error).toMatchObject({ code: 'BadRequest', isBodyCut: true, body: expect.stringMatching(/^\.{100,}$/) })
    }
  })

  it('has its causes copied five levels deep', async () => {
    const chain = (levels: number): Error =>
      new Error(`level ${levels}`, levels === 9 ? {} : { cause: chain(levels + 1) })
    const { error } = await failing(chain(0))
    const messages: unknown[] = []
    for (let at: unknown = Reflect.get(error as object, 'cause'); at instanceof Error; at = at.cause)
      messages.push(at.message)
    expect(messages).toEqual([0, 1, 2, 3, 4, 5].map((level) => `level ${level}`))
  })

  it('can throw any value', async () => {
    const circle: { cause?: unknown } = new Error('circle')
    circle.cause = circle
    const trap = new Proxy(new Error('trap'), {
      get: () => {
        throw new Error('read')
      },
    })
    const reasons = [
      undefined,
      null,
      7,
      'text',
      Symbol(secretKey),
      `text ${secretKey}`,
      { status: 1 },
      circle,
      trap,
      () => {},
    ]
    for (const reason of reasons) {
      const { error } = await failing(reason)
      expect(isApiError(error, 'ConnectionFailed')).toBe(true)
      expect(textsOf(error).filter((text) => leaks(text, secretKey))).toEqual([])
    }
  })
})
