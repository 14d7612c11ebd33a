import { connect as connectSocket, type Socket } from 'node:net'
import { describe, expect, it } from 'vitest'
import { createCertificate } from '../../fixtures/certificate.ts'
import { createManualTimer, createTestClient, failureOf, publicAddress } from '../../fixtures/client.ts'
import { json, serveHttp, serveRaw } from '../../fixtures/server.ts'
import { createConnectionPool, createOutbound, type OutboundOptions } from '../index.ts'

const health = { status: 'ok', sdkVersion: '1', frameworkVersion: '1', discovered: { workflows: 0, steps: 0 } }
const reply = { outputs: {}, providers: {}, options: { skip: false }, metadata: {} }
const step = { workflowId: 'w', stepId: 's', event: {} }
const get = { method: 'GET', url: 'http://hook.test/' }
const post = { method: 'POST', url: 'http://hook.test/', body: '{}' }
const ok = 'HTTP/1.1 200 OK\r\ncontent-type: application/json\r\ncontent-length: 2\r\n\r\n{}'
const otherAddress = '93.184.216.35'

/** An outbound sender whose connections go to a loopback port, with its sockets. */
function createKeepingOutbound(port: number, options: OutboundOptions = {}) {
  const sockets: Socket[] = []
  const outbound = createOutbound({
    allow: [],
    lookup: async () => [publicAddress],
    connections: createConnectionPool(),
    connect: () => {
      const socket = connectSocket(port, '127.0.0.1')
      sockets.push(socket)
      return socket
    },
    ...options,
  })
  return { ...outbound, sockets }
}

/**
 * Starts a server that responds to the first request of each connection, then handles the second as the test specifies.
 */
function serveThen(onSecond: (socket: Socket) => void, first = ok) {
  return serveRaw((socket) => {
    socket.once('data', () => {
      socket.write(first)
      socket.once('data', () => onSecond(socket))
    })
  })
}

describe('a kept connection', () => {
  it('carries all calls of a client and of other clients of the same bridge', async () => {
    const { port, received } = await serveHttp((request, response, raw) =>
      json(200, request.url.includes('health') ? health : reply)(request, response, raw),
    )
    const connections = createConnectionPool()
    const [first, second] = [createTestClient({ port, connections }), createTestClient({ port, connections })]
    await first.healthCheck()
    for (let call = 0; call < 3; call++) await first.execute(step)
    await second.execute(step)
    expect(received).toHaveLength(5)
    expect(first.connections).toHaveLength(1)
    expect(second.connections).toHaveLength(0)
    connections.close()
  })

  it('is not reused without the option', async () => {
    const { port, received } = await serveHttp(json(200, {}))
    const outbound = createKeepingOutbound(port, { connections: undefined })
    await outbound.send(get)
    await outbound.send(get)
    expect(outbound.sockets).toHaveLength(2)
    expect(received[0]?.headers.connection).toBe('close')
  })

  it('leaves no listeners behind', async () => {
    const { port } = await serveHttp(json(200, {}))
    const outbound = createKeepingOutbound(port)
    const counts: number[] = []
    for (let call = 0; call < 20; call++) {
      await outbound.send(get)
      const [socket] = outbound.sockets
      counts.push(socket?.eventNames().reduce((sum, name) => sum + socket.listenerCount(name), 0) ?? 0)
    }
    expect(outbound.sockets).toHaveLength(1)
    expect(new Set(counts.slice(1)).size).toBe(1)
  })

  it('is not used once the name resolves to a forbidden or different address', async () => {
    const { port, received } = await serveHttp(json(200, {}))
    let addresses = [publicAddress]
    const outbound = createKeepingOutbound(port, { lookup: async () => addresses })
    await outbound.send(get)
    addresses = [publicAddress, '10.0.0.1']
    expect(await failureOf(outbound.send(get))).toMatchObject({ code: 'PRIVATE_IP', isRefused: true })
    expect(received).toHaveLength(1)
    addresses = [otherAddress]
    await outbound.send(get)
    expect(outbound.sockets).toHaveLength(2)
    addresses = [publicAddress]
    await outbound.send(get)
    expect(outbound.sockets).toHaveLength(2)
  })

  it('is not used once its endpoint is closed', async () => {
    const { port } = await serveHttp(json(200, {}))
    let isClosed = false
    const outbound = createKeepingOutbound(port, { isClosed: () => isClosed })
    await outbound.send(get)
    isClosed = true
    expect(await failureOf(outbound.send(get))).toMatchObject({ code: 'SSRF_BLOCKED' })
  })

  it('is reused only for the same origin and the same certificate check', async () => {
    const own = createCertificate('bridge.test')
    const { port } = await serveHttp(json(200, health), { cert: own.cert, key: own.key })
    const plain = await serveHttp(json(200, {}))
    const connections = createConnectionPool()
    const settings = { port, connections, bridgeUrl: 'https://bridge.test/' }
    const unchecked = createTestClient({ ...settings, environmentName: 'Development' })
    await unchecked.healthCheck()
    await unchecked.healthCheck()
    expect(unchecked.connections).toHaveLength(1)
    expect((await failureOf(createTestClient(settings).healthCheck()))['code']).toBe('SelfSignedCertificate')
    const trusting = [1, 2].map(() => createTestClient({ ...settings, ca: own.cert }))
    for (const client of trusting) await client.healthCheck()
    expect(trusting.map((client) => client.connections.length)).toEqual([1, 0])
    const outbound = createKeepingOutbound(plain.port, { connections })
    for (const host of ['a.test', 'b.test', 'a.test:8080', 'a.test'])
      await outbound.send({ ...get, url: `http://${host}/` })
    expect(outbound.sockets).toHaveLength(3)
  })

  it.each<[string, (socket: Socket) => void]>([
    ['ended', (socket) => socket.end()],
    ['reset', (socket) => socket.resetAndDestroy()],
  ])('that the server has %s in the meantime does not fail a call', async (_how, onSecond) => {
    const { port } = await serveThen(onSecond)
    const client = createTestClient({ port, connections: createConnectionPool() })
    await client.agentEvent({ agentId: 'a', event: 'e', body: {} })
    await client.agentEvent({ agentId: 'a', event: 'e', body: {} })
    expect(client.connections).toHaveLength(2)
    expect(client.waits).toEqual([])
  })

  it('that the server has closed leads to a request with its own signature, because a bridge may accept each only once', async () => {
    const texts: string[] = []
    const { port } = await serveRaw((socket) => {
      socket.on('data', (chunk) => {
        texts.push(String(chunk))
        if (texts.length === 2) socket.end()
        else socket.write(ok)
      })
    })
    let nowMs = 1_700_000_000_000
    const client = createTestClient({ port, connections: createConnectionPool(), nowMs: () => nowMs++ })
    await client.agentEvent({ agentId: 'a', event: 'e', body: {} })
    await client.agentEvent({ agentId: 'a', event: 'e', body: {} })
    const signatures = texts.map((text) => /^service-signature: (.*)$/im.exec(text)?.[1])
    expect(signatures.every((signature) => signature?.includes('v1='))).toBe(true)
    expect(new Set(signatures).size).toBe(3)
  })

  it('is not replaced by another one if a response has begun, the timeout has passed, or the request is not idempotent', async () => {
    const partial = await serveThen((socket) => socket.end('HTTP/1.1 2'))
    const begun = createKeepingOutbound(partial.port)
    await begun.send(get)
    expect((await failureOf(begun.send(get)))['code']).toBe('ResponseReadError')
    expect(begun.sockets).toHaveLength(1)

    let requests = 0
    const reset = await serveThen((socket) => {
      requests++
      socket.resetAndDestroy()
    })
    const once = createKeepingOutbound(reset.port)
    await once.send(post)
    expect((await failureOf(once.send(post)))['code']).toBe('ECONNRESET')
    expect([requests, once.sockets.length]).toEqual([1, 1])

    const controller = new AbortController()
    const silent = await serveThen(() => controller.abort(new Error('enough')))
    const late = createKeepingOutbound(silent.port)
    await late.send(get)
    await expect(late.send(get, controller.signal)).rejects.toThrow('enough')
    expect(late.sockets).toHaveLength(1)
    expect(late.sockets[0]?.destroyed).toBe(true)

    const timer = createManualTimer()
    const slow = await serveThen(timer.fire)
    const ending = createKeepingOutbound(slow.port, { startTimer: timer.startTimer })
    await ending.send(get)
    const { cause } = await failureOf(ending.send(get))
    expect(cause).toMatchObject({ reason: expect.not.stringContaining('connect') })
  })

  it('carries a non-idempotent request only if it was used within the last second', async () => {
    const { port } = await serveHttp(json(200, {}))
    let now = 0
    const outbound = createKeepingOutbound(port, { connections: createConnectionPool({ nowMs: () => now }) })
    for (const [atMs, sockets] of [
      [0, 1],
      [1000, 1],
      [2001, 2],
    ] as const) {
      now = atMs
      await outbound.send(post)
      expect(outbound.sockets).toHaveLength(sockets)
    }
  })

  it('is not used after the idle timeout of the server or the pool', async () => {
    let timeout = 3
    const { port } = await serveHttp((request, response, raw) =>
      json(200, {}, { 'keep-alive': `timeout=${timeout}` })(request, response, raw),
    )
    let now = 0
    const outbound = createKeepingOutbound(port, { connections: createConnectionPool({ nowMs: () => now }) })
    for (const [atMs, sockets] of [
      [0, 1],
      [1999, 1],
      [3999, 2],
      [7998, 2],
      [11_998, 3],
    ] as const) {
      now = atMs
      if (atMs > 3000) timeout = 75
      await outbound.send(get)
      expect(outbound.sockets).toHaveLength(sockets)
    }
  })

  it('is closed if the server sends unsolicited data', async () => {
    const { port } = await serveRaw((socket) =>
      socket.on('data', () => {
        socket.write(ok)
        setTimeout(() => socket.write('HTTP/1.1 200 OK\r\ncontent-length: 6\r\n\r\nforged'), 10)
      }),
    )
    const outbound = createKeepingOutbound(port)
    await outbound.send(get)
    await expect.poll(() => outbound.sockets[0]?.destroyed).toBe(true)
    expect((await outbound.send(get)).text).toBe('{}')
  })

  it.each<[string, string]>([
    ['a close header', 'HTTP/1.1 200 OK\r\nconnection: close\r\ncontent-length: 2\r\n\r\n{}'],
    ['no length', 'HTTP/1.0 200 OK\r\n\r\n{}'],
    ['a redirect, whose body is not read', 'HTTP/1.1 302 Found\r\nlocation: /\r\ncontent-length: 2\r\n\r\n{}'],
    ['a short time', 'HTTP/1.1 200 OK\r\nkeep-alive: timeout=1\r\ncontent-length: 2\r\n\r\n{}'],
    ['two answers', `${ok}${ok}`],
  ])('ends after a response with %s', async (_what, answer) => {
    const { port } = await serveRaw((socket) =>
      socket.once('data', () => (answer.startsWith('HTTP/1.0') ? socket.end(answer) : socket.write(answer))),
    )
    const outbound = createKeepingOutbound(port)
    await outbound.send(get)
    expect(outbound.sockets[0]?.destroyed).toBe(true)
    await outbound.send(get)
    expect(outbound.sockets).toHaveLength(2)
  })
})

describe('a pool of connections', () => {
  it('closes the oldest beyond its maximum size, those idle for too long, and all on close', async () => {
    const { port } = await serveHttp(json(200, {}))
    let now = 0
    const connections = createConnectionPool({ maxIdle: 2, idleMs: 50, nowMs: () => now })
    const outbound = createKeepingOutbound(port, { connections })
    const send = (host: string) => outbound.send({ ...get, url: `http://${host}.test/` })
    const destroyed = () => outbound.sockets.map((socket) => socket.destroyed)
    for (const host of ['a', 'b', 'c']) await send(host)
    expect(destroyed()).toEqual([true, false, false])
    now = 49
    await send('b')
    now = 50
    await expect.poll(destroyed).toEqual([true, false, true])
    connections.close()
    expect(destroyed()).toEqual([true, true, true])
    await send('b')
    expect(destroyed()).toEqual([true, true, true, true])
  })

  it('is validated as an option', () => {
    expect(() => createOutbound({ connections: {} as never })).toThrow(/^connections must be/)
  })
})
