import { STATUS_CODES } from 'node:http'
import { connect } from 'node:net'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { draws } from '../../../../test/scope.ts'
import { operations } from '../operations/operations.ts'
import { startTestService, type TestAnswer, testKeys } from '../start/service.fixture.ts'

const runs = draws(6, 200)

/** Lone surrogates cannot be part of a URL. */
const wellFormed = (text: string): string => text.replaceAll(/\p{Cs}/gu, '?')

/** Asserts that a response is a success, or an error in the specified format. */
function expectForm(answer: Pick<TestAnswer, 'status' | 'json' | 'text'>, what: string): void {
  if (answer.status < 400) return
  const body = answer.json as Record<string, unknown>
  expect(body, `${what}: ${answer.status} ${answer.text.slice(0, 200)}`).toMatchObject({
    statusCode: answer.status,
    timestamp: expect.stringMatching(/^\d{4}-\d\d-\d\dT/),
    path: expect.any(String),
    message: expect.anything(),
  })
  // No input may cause an internal error.
  expect(answer.status, `${what}: ${answer.text.slice(0, 300)}`).not.toBe(500)
  if (answer.status === 422) expect(body['errors'], what).toBeTypeOf('object')
}

const hostile = fc.constantFrom<unknown>(
  null,
  true,
  -1,
  1e308,
  2 ** 60,
  '',
  '\0',
  '\ud800',
  'a'.repeat(5000),
  '../../etc/passwd',
  "'; drop table subscribers; --",
  '%',
  [],
  [[]],
  {},
  JSON.parse('{"__proto__":{"x":1},"constructor":1}'),
)
const value = fc.oneof({ weight: 2, arbitrary: hostile }, fc.jsonValue({ maxDepth: 3 }) as fc.Arbitrary<unknown>)
const names = fc.constantFrom(
  ...['subscriberId', 'subscribers', 'name', 'to', 'payload', 'key', 'steps', 'workflowId', 'identifier', 'channels'],
  ...['providerId', 'credentials', 'email', 'data', 'events', 'limit', 'preferences', 'variables', 'bridgeUrl', 'type'],
  ...['__proto__', 'id', 'content', 'layoutId', 'values', 'channel', 'active', 'enabled', 'context', 'markAs'],
)
const body = fc.oneof(
  { weight: 4, arbitrary: fc.dictionary(names, value, { maxKeys: 6 }).map((fields) => JSON.stringify(fields)) },
  { weight: 1, arbitrary: value.map((given) => JSON.stringify(given) ?? '') },
  { weight: 1, arbitrary: fc.string({ maxLength: 50 }) },
)
const query = fc.array(
  fc.tuple(
    fc.constantFrom(
      'limit',
      'page',
      'after',
      'before',
      'orderBy',
      'orderDirection',
      'channels',
      'search',
      'x',
      'payload',
      'days',
    ),
    fc.oneof(
      fc.constantFrom('-1', '1e9', '', 'ASC', '0', 'null', '%00', 'a'.repeat(300)),
      fc.string({ maxLength: 12 }),
    ),
  ),
  { maxLength: 3 },
)
const segment = fc.oneof(
  fc.constantFrom('a', '%00', '%', '%ff', '%ED%A0%80', 'x'.repeat(300), '__proto__', '..%2f..', "a'b", '%F0%9F%98%80'),
  fc.string({ minLength: 1, maxLength: 20 }).map((text) => encodeURIComponent(wellFormed(text))),
)

const streams = ['studio.events', 'studio.runEvents']

test.each(operations.map((operation) => [operation.name, operation] as const))(
  '%s responds to any input in the format of the API',
  async (name, operation) => {
    const { call } = await shared()
    const methodHasBody = operation.method !== 'GET'
    await fc.assert(
      fc.asyncProperty(
        fc.array(segment, { minLength: 4, maxLength: 4 }),
        query,
        body,
        async (segments, pairs, sent) => {
          let next = 0
          const path = operation.path.replaceAll(/\{\w+\}/g, () => segments[next++] ?? 'a')
          const search = new URLSearchParams(pairs.map(([key, text]) => [key, wellFormed(text)])).toString()
          // An event stream never ends, so it is only called with an invalid query.
          const target = `${path}?${streams.includes(name) ? `after=${'x'.repeat(101)}&` : ''}${search}`
          const controller = AbortSignal.timeout(5000)
          const answer = await Promise.race([
            call(`${operation.method} ${target}`, methodHasBody ? sent : undefined),
            new Promise<undefined>((resolve) => controller.addEventListener('abort', () => resolve(undefined))),
          ])
          if (answer && operation.refusal && answer.status === 400)
            expect(answer.json).toEqual({ message: expect.any(String) })
          else if (answer) expectForm(answer, `${operation.method} ${target} ${sent}`)
        },
      ),
      { numRuns: runs },
    )
  },
)

const raw: readonly (readonly [string, string | Buffer, number | 'closed'])[] = [
  ['nothing but noise', '\u0000\u0001\u0002 hello\r\n\r\n', 400],
  ['no request line', '\r\n\r\n\r\nfoo bar baz\r\n\r\n', 400],
  ['an unknown method', 'BREW /v1/topics HTTP/1.1\r\nhost: 127.0.0.1\r\n\r\n', 400],
  ['another protocol', 'GET / HTTP/9.9\r\n\r\n', 400],
  ['TLS', Buffer.from('16030100c8010000c40303', 'hex'), 400],
  ['a header without a name', 'GET /v1/topics HTTP/1.1\r\n: x\r\n\r\n', 400],
  ['two lengths', 'POST /v1/topics HTTP/1.1\r\nhost: HOST\r\ncontent-length: 1\r\ncontent-length: 2\r\n\r\nab', 400],
  ['a length that is none', 'POST /v1/topics HTTP/1.1\r\nhost: HOST\r\ncontent-length: -5\r\n\r\n', 400],
  [
    'length and chunks',
    'POST /v1/topics HTTP/1.1\r\nhost: HOST\r\ncontent-length: 1\r\ntransfer-encoding: chunked\r\n\r\nzz',
    400,
  ],
  [
    'broken chunks',
    'POST /v2/topics HTTP/1.1\r\nhost: HOST\r\nauthorization: ApiKey KEY\r\ntransfer-encoding: chunked\r\n\r\nZZ\r\n',
    400,
  ],
  ['no host', 'GET /v1/topics HTTP/1.1\r\n\r\n', 403],
  ['a broken host', 'GET /v1/topics HTTP/1.1\r\nhost: [\r\n\r\n', 403],
  ['a port that is none', 'GET /v1/topics HTTP/1.1\r\nhost: 127.0.0.1:99999\r\n\r\n', 403],
  ['an absolute address', 'GET http://127.0.0.1/v1/topics HTTP/1.1\r\nhost: HOST\r\n\r\n', 400],
  ['an address that is a star', 'OPTIONS * HTTP/1.1\r\nhost: HOST\r\n\r\n', 400],
  ['a tunnel', 'CONNECT example.org:443 HTTP/1.1\r\nhost: HOST\r\n\r\n', 405],
  ['an upgrade', 'GET /v1/nothing HTTP/1.1\r\nhost: HOST\r\nconnection: upgrade\r\nupgrade: websocket\r\n\r\n', 404],
  ['an expectation', 'GET /v1/nothing HTTP/1.1\r\nhost: HOST\r\nexpect: tea\r\n\r\n', 404],
  ['a path that is not encoded', 'GET /v2/topics/% HTTP/1.1\r\nhost: HOST\r\nauthorization: ApiKey KEY\r\n\r\n', 400],
  ['HTTP/1.0', 'GET /v1/nothing HTTP/1.0\r\nhost: HOST\r\n\r\n', 404],
  ['a method that changes nothing', 'HEAD /v1/nothing HTTP/1.1\r\nhost: HOST\r\nconnection: close\r\n\r\n', 404],
  ['an address that is too long', `GET /${'a'.repeat(9000)} HTTP/1.1\r\nhost: HOST\r\n\r\n`, 414],
  ['an address that is much too long', `GET /${'a'.repeat(60_000)} HTTP/1.1\r\nhost: HOST\r\n\r\n`, 414],
  ['a header that is too long', `GET /v1/topics HTTP/1.1\r\nhost: HOST\r\nx: ${'a'.repeat(60_000)}\r\n\r\n`, 400],
]

test.each(raw)('%s on the socket gets a response in the format of the API', async (name, bytes, status) => {
  const { service, call } = await shared()
  const text =
    typeof bytes === 'string'
      ? bytes.replace('HOST', new URL(service.url).host).replace('KEY', testKeys.Development)
      : bytes
  const answer = await send(service.url, text)
  const [head = '', sent = ''] = answer.split('\r\n\r\n')
  expect(head.split('\r\n', 1)[0], answer).toMatch(
    new RegExp(`^HTTP/1\\.[01] ${status} ${STATUS_CODES[Number(status)]}$`),
  )
  if (!String(bytes).startsWith('HEAD'))
    expectForm({ status: Number(status), text: sent, json: JSON.parse(sent) }, name)
  expect((await call('GET /health')).status).toBe(200)
})

test('returns an idempotency key with the same bytes, and decodes it in messages', async (context) => {
  const { service } = await startTestService('sqlite', context)
  const post = (key: string, body: string): Promise<string> => {
    const head = `POST /v1/feeds HTTP/1.1\r\nhost: ${new URL(service.url).host}\r\nauthorization: ApiKey ${testKeys.Development}\r\n`
    const rest = `content-type: application/json\r\ncontent-length: ${body.length}\r\n\r\n${body}`
    return send(service.url, Buffer.from(`${head}idempotency-key: ${key}\r\n${rest}`, 'latin1'))
  }
  for (const [key, shownKey] of [
    ['caf\xc3\xa9', 'café'],
    ['caf\xe9', 'café'],
  ] as const) {
    const body = JSON.stringify({ name: `feed ${key.length}` })
    const first = await post(key, body)
    expect(first).toContain(' 201 ')
    for (const answer of [first, await post(key, body), await post(key, '{"name":"other"}')])
      expect(/^idempotency-key: (.*)\r$/im.exec(answer)?.[1]).toBe(key)
    expect(Buffer.from(await post(key, '{"name":"other"}'), 'latin1').toString()).toContain(`\\"${shownKey}\\"`)
  }
})

test('survives any bytes on the socket', async () => {
  const { service, call } = await shared()
  const line = fc.oneof(
    fc.string({ maxLength: 40 }),
    fc.constantFrom(
      'GET / HTTP/1.1',
      'host: x',
      'content-length: 5',
      '',
      'transfer-encoding: chunked',
      'expect: 100-continue',
    ),
  )
  const bytes = fc.oneof(
    fc.uint8Array({ maxLength: 200 }).map((array) => Buffer.from(array)),
    fc.array(line, { maxLength: 6 }).map((lines) => Buffer.from(`${lines.join('\r\n')}\r\n\r\n`)),
  )
  await fc.assert(
    fc.asyncProperty(bytes, async (given) => {
      const answer = await send(service.url, given)
      for (const part of answer.split(/(?=HTTP\/1\.[01] \d{3})/).filter((piece) => piece.startsWith('HTTP/'))) {
        const [head = '', sent = ''] = part.split('\r\n\r\n')
        const status = Number(/^HTTP\/1\.[01] (\d{3})/.exec(head)?.[1])
        if (status >= 400) expectForm({ status, text: sent, json: JSON.parse(sent) }, given.toString('latin1'))
      }
    }),
    { numRuns: Math.max(40, runs) },
  )
  expect((await call('GET /health')).status).toBe(200)
})

/** Sends bytes and returns the response until the connection ends, or is idle. */
function send(url: string, bytes: string | Buffer): Promise<string> {
  const { hostname, port } = new URL(url)
  return new Promise((resolve) => {
    const socket = connect(Number(port), hostname, () => socket.write(bytes))
    let answer = ''
    let timer = setTimeout(() => socket.destroy(), 1500)
    socket.setEncoding('latin1')
    socket.on('data', (piece) => {
      answer += piece
      clearTimeout(timer)
      timer = setTimeout(() => socket.destroy(), 100)
    })
    socket.on('error', () => undefined)
    socket.on('close', () => {
      clearTimeout(timer)
      resolve(answer)
    })
  })
}

let running: ReturnType<typeof startTestService> | undefined
const ends: (() => unknown)[] = []

/** One service for all tests of this file; earlier requests must not matter. */
function shared(): ReturnType<typeof startTestService> {
  running ??= startTestService('sqlite', {
    onTestFinished: (end) => ends.unshift(() => end({} as never)),
    skip: (() => undefined) as never,
  })
  return running
}

test('stops gracefully after all of that', async () => {
  for (const end of ends) await end()
})
