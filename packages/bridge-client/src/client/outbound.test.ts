import { connect as connectSocket } from 'node:net'
import { describe, expect, it } from 'vitest'
import { createCertificate } from '../../fixtures/certificate.ts'
import { createManualTimer, failingSocket, publicAddress } from '../../fixtures/client.ts'
import { json, serveHttp, serveRaw } from '../../fixtures/server.ts'
import { createOutbound, type NetworkOptions, type OutboundRequest } from '../index.ts'

const post: OutboundRequest = { method: 'POST', url: 'http://hook.test/in?a=1', headers: { 'x-id': '7' }, body: 'é' }

function createTestOutbound(port: number, options: NetworkOptions = {}) {
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
  it('is sent as it is, and answered with status, headers and body', async () => {
    const { port, received } = await serveHttp(json(202, { ok: true }, { 'x-answer': 'yes' }))
    const result = await createTestOutbound(port).send(post)
    expect(result).toMatchObject({ status: 202, headers: { 'x-answer': 'yes' }, address: publicAddress })
    expect('body' in result && JSON.parse(new TextDecoder().decode(result.body))).toEqual({ ok: true })
    expect(received).toMatchObject([
      { method: 'POST', url: '/in?a=1', body: 'é', headers: { 'x-id': '7', host: 'hook.test' } },
    ])
    expect(received[0]?.headers).not.toHaveProperty('service-signature')
  })

  it.each([302, 307, 404, 500])('answered with %i is neither followed nor repeated', async (status) => {
    const { port, received } = await serveHttp(json(status, {}, { location: 'http://10.0.0.1/' }))
    const result = await createTestOutbound(port).send(post)
    expect(result).toMatchObject({ status, headers: { location: 'http://10.0.0.1/' } })
    expect(received).toHaveLength(1)
  })

  it.each([
    ['http://10.0.0.1/', 'PRIVATE_IP'],
    ['http://localhost/', 'BLOCKED_HOSTNAME'],
    ['ftp://hook.test/', 'UNSUPPORTED_SCHEME'],
    ['http://a:b@hook.test/', 'CREDENTIALS_IN_URL'],
    ['nonsense', 'INVALID_URL'],
    [['http://hook.test/'], 'INVALID_URL'],
  ])('to %s is refused with %s, by send and by check, without a connection', async (url, code) => {
    const outbound = createTestOutbound(1)
    await expect(outbound.send({ ...post, url: url as string })).resolves.toMatchObject({
      code,
      cause: { fix: expect.any(String) },
    })
    await expect(outbound.check(url as string)).resolves.toMatchObject({ code })
    expect(outbound.connections).toEqual([])
  })

  it('to a name with a private address is refused, and one that is not known', async () => {
    const inside = createTestOutbound(1, { lookup: async () => [publicAddress, '192.168.0.1'] })
    await expect(inside.check(post.url)).resolves.toMatchObject({
      code: 'PRIVATE_IP',
      cause: { address: '192.168.0.1' },
    })
    const unknown = createTestOutbound(1, { lookup: async () => [] })
    await expect(unknown.send(post)).resolves.toMatchObject({ code: 'DNS_LOOKUP_FAILED' })
    await expect(createTestOutbound(1).check(post.url)).resolves.toBeUndefined()
    const open = createTestOutbound(1, { allow: ['192.168.0.0/16'], lookup: async () => ['192.168.0.1'] })
    await expect(open.check(post.url)).resolves.toBeUndefined()
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
  ])('with the header %s: %j is refused before anything is looked up', async (name, value) => {
    const lookups: string[] = []
    const lookup = async (host: string) => {
      lookups.push(host)
      return [publicAddress]
    }
    const result = await createTestOutbound(1, { lookup }).send({ ...post, headers: { [name]: value as string } })
    expect(result).toMatchObject({ code: 'RequestCacheError', cause: { reason: expect.stringContaining(name) } })
    expect(lookups).toEqual([])
  })

  it.each([['CONNECT'], ['GET /'], [''], [7]])('with the method %j is refused', async (method) => {
    await expect(createTestOutbound(1).send({ ...post, method: method as string })).resolves.toMatchObject({
      code: 'RequestCacheError',
    })
  })

  it('that fails says how, and holds nothing of what was sent', async () => {
    const refused = createTestOutbound(1, { connect: () => failingSocket('ECONNREFUSED') })
    await expect(refused.send(post)).resolves.toMatchObject({ code: 'ECONNREFUSED', cause: { address: publicAddress } })
    const echo = await serveRaw((socket) => socket.once('data', (request) => socket.end(String(request))))
    const result = await createTestOutbound(echo.port).send({ ...post, body: 'private-body' })
    expect(result).toMatchObject({ code: 'ResponseReadError' })
    expect(JSON.stringify(result)).not.toContain('private-body')
    const long = await serveHttp(json(500, 'x'.repeat(1000)))
    await expect(createTestOutbound(long.port, { maxAnswerBytes: 100 }).send(post)).resolves.toMatchObject({
      code: 'ResponseReadError',
      cause: { httpStatus: 500 },
    })
  })

  it('to a host without a valid certificate is refused, whatever the environment is called', async () => {
    const own = createCertificate('hook.test')
    const { port, received } = await serveHttp(json(200, {}), { cert: own.cert, key: own.key })
    const request = { ...post, url: 'https://hook.test/' }
    await expect(createTestOutbound(port).send(request)).resolves.toMatchObject({ code: 'SelfSignedCertificate' })
    expect(received).toEqual([])
    await expect(createTestOutbound(port, { ca: own.cert }).send(request)).resolves.toMatchObject({ status: 200 })
  })

  it('ends when its time is up or its signal aborts', async () => {
    const timer = createManualTimer()
    const { port } = await serveRaw((socket) => socket.once('data', timer.fire))
    const late = createTestOutbound(port, { startTimer: timer.startTimer, timeoutMs: 77 })
    await expect(late.send(post)).resolves.toMatchObject({ code: 'BridgeRequestTimeout' })
    expect(timer.asked).toEqual([77])
    const controller = new AbortController()
    const silent = await serveRaw((socket) => socket.once('data', () => controller.abort(new Error('enough'))))
    const outbound = createTestOutbound(silent.port)
    await expect(outbound.send(post, { signal: controller.signal })).rejects.toThrow('enough')
    await expect(outbound.check(post.url, { signal: controller.signal })).rejects.toThrow('enough')
  })

  it('has the options of the network and no others', () => {
    expect(() => createOutbound({ secretKey: 'x' } as never)).toThrow('createOutbound has no option "secretKey".')
    expect(() => createOutbound({ timeoutMs: 0 })).toThrow(/^timeoutMs must be/)
    expect(() => createOutbound({ allow: ['x'] })).toThrow(/not a range/)
    expect(() => createOutbound()).not.toThrow()
  })
})
