import { connect as connectSocket } from 'node:net'
import { inspect } from 'node:util'
import { describe, expect, it } from 'vitest'
import { createCertificate } from '../../fixtures/certificate.ts'
import { createManualTimer, failingSocket, failureOf, publicAddress } from '../../fixtures/client.ts'
import { json, serveHttp, serveRaw } from '../../fixtures/server.ts'
import { createOutbound, type OutboundOptions, type OutboundRequest } from '../index.ts'

const post: OutboundRequest = { method: 'POST', url: 'http://hook.test/in?a=1', headers: { 'x-id': '7' }, body: 'é' }

function createTestOutbound(port: number, options: OutboundOptions = {}) {
  const connections: string[] = []
  const outbound = createOutbound({
    allow: [],
    lookup: async () => [publicAddress],
    connect: ({ address }) => {
      connections.push(address)
      return connectSocket(port, '127.0.0.1')
    },
    ...options,
  })
  return { ...outbound, connections }
}

describe('an outbound request', () => {
  it('is sent unchanged, and returns status, headers and text', async () => {
    const { port, received } = await serveHttp(json(202, { ok: 'é' }, { 'x-answer': 'yes' }))
    const reply = await createTestOutbound(port).send(post)
    expect(reply).toMatchObject({ status: 202, headers: { 'x-answer': 'yes' }, text: '{"ok":"é"}' })
    const headers = { 'x-id': '7', host: 'hook.test', 'content-length': '2' }
    expect(received).toMatchObject([{ method: 'POST', url: '/in?a=1', body: 'é', headers }])
    expect(received[0]?.headers).not.toHaveProperty('service-signature')
  })

  it.each([302, 307, 404, 500])('answered with %i is neither followed nor retried', async (status) => {
    const { port, received } = await serveHttp(json(status, {}, { location: 'http://10.0.0.1/' }))
    const reply = await createTestOutbound(port).send(post)
    expect(reply).toMatchObject({ status, headers: { location: 'http://10.0.0.1/' } })
    expect(received).toHaveLength(1)
  })

  it.each([
    ['http://10.0.0.1/', 'PRIVATE_IP'],
    ['http://localhost/', 'BLOCKED_HOSTNAME'],
    ['ftp://hook.test/', 'UNSUPPORTED_SCHEME'],
    ['http://a:b@hook.test/', 'CREDENTIALS_IN_URL'],
    ['nonsense', 'INVALID_URL'],
    [['http://hook.test/'], 'INVALID_URL'],
  ])('to %s is blocked with %s, without a connection', async (url, code) => {
    const outbound = createTestOutbound(1)
    const failure = await failureOf(outbound.send({ ...post, url: url as string }))
    expect(failure).toMatchObject({ name: 'OutboundError', code, isRefused: true, cause: { fix: expect.any(String) } })
    expect(failure.message).toBe('The outbound address policy blocks this address.')
    expect(outbound.connections).toEqual([])
  })

  it('to a name is blocked if one address is private, and fails if the name does not exist', async () => {
    const inside = createTestOutbound(1, { lookup: async () => [publicAddress, '192.168.0.1'] })
    const failure = await failureOf(inside.send(post))
    expect(failure).toMatchObject({ code: 'PRIVATE_IP', isRefused: true, cause: { address: '192.168.0.1' } })
    expect(failure.message).not.toContain('192.168.0.1')
    const unknown = createTestOutbound(1, { lookup: async () => [] })
    const missing = await failureOf(unknown.send(post))
    expect(missing).toMatchObject({ code: 'DNS_LOOKUP_FAILED', isRefused: false, phase: 'lookup' })
    expect(missing.message).toContain('does not exist')
  })

  it.each([
    ['transfer-encoding', 'chunked'],
    ['Host', 'inside.test'],
    ['content-length', '1'],
    ['Connection', 'upgrade'],
    ['proxy-authorization', 'x'],
    ['bad name', 'x'],
    ['x-a', 'b\r\nx-c: d'],
    ['x-a', 'b\0'],
    ['x-a', '€'],
    ['x-a', 7],
  ])('with the header %s: %j is rejected before any lookup', async (name, value) => {
    const lookups: string[] = []
    const lookup = async (host: string) => {
      lookups.push(host)
      return [publicAddress]
    }
    const failure = await failureOf(
      createTestOutbound(1, { lookup }).send({ ...post, headers: { [name]: value as string } }),
    )
    expect(failure).toMatchObject({ code: 'RequestCacheError', isRefused: false })
    expect(failure.message).toContain(name)
    expect(lookups).toEqual([])
  })

  it.each([['CONNECT'], ['GET /'], [''], [7]])('with the method %j is rejected', async (method) => {
    const failure = await failureOf(createTestOutbound(1).send({ ...post, method: method as string }))
    expect(failure['code']).toBe('RequestCacheError')
  })

  it.each([[undefined], [null], [7]])('of %j is rejected', async (request) => {
    expect((await failureOf(createTestOutbound(1).send(request as never))).name).toBe('OutboundError')
  })

  it.each<[string, object, string]>([
    ['a Headers, of which none would be sent', { headers: new Headers({ a: '1' }) }, 'headers are not an object'],
    ['a Map of headers', { headers: new Map([['a', '1']]) }, 'headers are not an object'],
    ['a text of headers', { headers: 'abc' }, 'headers are not an object'],
    ['no headers', { headers: null }, 'headers are not an object'],
    ['one header twice', { headers: { 'X-A': '1', 'x-a': '2' } }, 'header x-a is repeated'],
    ['a member that it does not have', { json: {} }, 'unknown request field json'],
    ['an unpaired surrogate', { body: 'a\ud800' }, 'unpaired surrogates'],
  ])('with %s is rejected before any lookup', async (_what, more, reason) => {
    const outbound = createTestOutbound(1)
    const failure = await failureOf(outbound.send({ ...post, ...more } as never))
    expect(failure).toMatchObject({ name: 'OutboundError', code: 'RequestCacheError' })
    expect(failure.cause).toMatchObject({ reason: expect.stringContaining(reason) })
    expect(outbound.connections).toEqual([])
  })

  it.each([[7], ['text'], [{}], [null], [{ aborted: false }]])(
    'with an invalid signal (%j) is an OutboundError',
    async (signal) => {
      const outbound = createTestOutbound(1)
      for (const call of [outbound.send(post, signal as never), outbound.resolveHost('hook.test', signal as never)]) {
        expect(await failureOf(call)).toMatchObject({ name: 'OutboundError', code: 'RequestCacheError' })
      }
      expect(outbound.connections).toEqual([])
    },
  )

  it('that fails reports the cause, and contains no request data', async () => {
    const refused = createTestOutbound(1, { connect: () => failingSocket('ECONNREFUSED') })
    expect(await failureOf(refused.send(post))).toMatchObject({ code: 'ECONNREFUSED', isRefused: false })
    const echo = await serveRaw((socket) => socket.once('data', (request) => socket.end(String(request))))
    const failure = await failureOf(createTestOutbound(echo.port).send({ ...post, body: 'private-body' }))
    expect(failure['code']).toBe('ResponseReadError')
    expect(inspect(failure, { depth: 20, showHidden: true })).not.toContain('private-body')
    const long = await serveHttp(json(500, 'x'.repeat(1000)))
    expect(await failureOf(createTestOutbound(long.port, { maxAnswerBytes: 100 }).send(post))).toMatchObject({
      code: 'ResponseReadError',
      cause: { httpStatus: 500 },
    })
  })

  it.each([
    ['lookup', { lookup: () => Promise.reject(Object.assign(new Error('busy'), { code: 'EAI_AGAIN' })) }],
    ['connect', { connect: () => failingSocket('EHOSTUNREACH') }],
    ['connect', { connect: () => failingSocket('ETIMEDOUT') }],
  ])('that fails before anything is sent names the phase "%s"', async (phase, options) => {
    expect(await failureOf(createTestOutbound(1, options).send(post))).toMatchObject({ phase, isRefused: false })
  })

  it('names the phase of every other failure, except of the body of a response', async () => {
    const outbound = createTestOutbound(1)
    expect(await failureOf(outbound.send({ ...post, method: '' }))).toMatchObject({ phase: 'prepare' })
    expect(await failureOf(outbound.send(post, 7 as never))).toMatchObject({ phase: 'prepare' })
    expect(await failureOf(outbound.send({ ...post, url: 'http://10.0.0.1/' }))).toMatchObject({ phase: undefined })
    const own = createCertificate('hook.test')
    const secure = await serveHttp(json(200, {}), { cert: own.cert, key: own.key })
    const untrusted = createTestOutbound(secure.port).send({ ...post, url: 'https://hook.test/' })
    expect(await failureOf(untrusted)).toMatchObject({ code: 'SelfSignedCertificate', phase: 'secure' })
    const silent = await serveRaw((socket) => socket.once('data', () => socket.end()))
    expect(await failureOf(createTestOutbound(silent.port).send(post))).toMatchObject({ phase: 'answer' })
    const long = await serveHttp(json(200, 'x'.repeat(1000)))
    const cut = createTestOutbound(long.port, { maxAnswerBytes: 100 }).send(post)
    expect(await failureOf(cut)).toMatchObject({ code: 'ResponseReadError', phase: undefined })
  })

  it('to a host without a valid certificate fails, unless its authority is trusted', async () => {
    const own = createCertificate('hook.test')
    const { port, received } = await serveHttp(json(200, {}), { cert: own.cert, key: own.key })
    const request = { ...post, url: 'https://hook.test/' }
    expect((await failureOf(createTestOutbound(port).send(request)))['code']).toBe('SelfSignedCertificate')
    expect(received).toEqual([])
    await expect(createTestOutbound(port, { ca: own.cert }).send(request)).resolves.toMatchObject({ status: 200 })
  })

  it('ends at its timeout or when its signal aborts', async () => {
    const timer = createManualTimer()
    const { port } = await serveRaw((socket) => socket.once('data', timer.fire))
    const late = createTestOutbound(port, { startTimer: timer.startTimer, timeoutMs: 77 })
    expect((await failureOf(late.send(post)))['code']).toBe('BridgeRequestTimeout')
    expect(timer.asked).toEqual([77])
    const controller = new AbortController()
    const silent = await serveRaw((socket) => socket.once('data', () => controller.abort(new Error('enough'))))
    const outbound = createTestOutbound(silent.port)
    await expect(outbound.send(post, controller.signal)).rejects.toThrow('enough')
    await expect(outbound.resolveHost('hook.test', controller.signal)).rejects.toThrow('enough')
  })

  it('has the options of the client', () => {
    expect(() => createOutbound({ timeout: 1 } as never)).toThrow('createOutbound has no option "timeout".')
    expect(() => createOutbound({ timeoutMs: 0 })).toThrow(/^timeoutMs must be/)
    expect(() => createOutbound({ allow: ['x'] })).toThrow(/not an address range/)
    expect(() => createOutbound()).not.toThrow()
  })
})

describe('the addresses of a host', () => {
  it.each([
    ['mail.test', [publicAddress]],
    ['8.8.8.8', ['8.8.8.8']],
    ['2606:4700::1', ['2606:4700::1']],
  ])('of %s are the checked ones', async (host, addresses) => {
    expect(await createTestOutbound(1).resolveHost(host)).toEqual(addresses)
  })

  it.each([
    ['localhost', 'BLOCKED_HOSTNAME'],
    ['127.0.0.1', 'PRIVATE_IP'],
    ['::1', 'PRIVATE_IP'],
    ['0x7f.1', 'PRIVATE_IP'],
    ['mail.test/x', 'INVALID_URL'],
    ['user@mail.test', 'INVALID_URL'],
    ['mail.test:25', 'INVALID_URL'],
    ['mail.test\\x', 'INVALID_URL'],
    ['mail test', 'INVALID_URL'],
    ['', 'INVALID_URL'],
    [['mail.test'], 'INVALID_URL'],
  ])('of %j are rejected with %s', async (host, code) => {
    const failure = await failureOf(createTestOutbound(1).resolveHost(host as string))
    expect(failure).toMatchObject({ code, isRefused: true })
  })
})
