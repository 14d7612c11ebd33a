import { createSecureServer, createServer, type Http2Server, type ServerHttp2Stream } from 'node:http2'
import { type AddressInfo, connect as connectSocket, type Socket } from 'node:net'
import { describe, expect, it, onTestFinished } from 'vitest'
import { createCertificate } from '../../fixtures/certificate.ts'
import { failureOf, publicAddress } from '../../fixtures/client.ts'
import { json, serveHttp, serveRaw } from '../../fixtures/server.ts'
import { createOutbound, type OutboundOptions, type OutboundRequest } from '../index.ts'

const authority = createCertificate('push.test')
const post: OutboundRequest = {
  ...{ method: 'POST', url: 'https://push.test/3/device/a?b=1', headers: { 'x-id': '7' }, body: 'é', http2: true },
}

type OnStream = (stream: ServerHttp2Stream, body: string, headers: Record<string, unknown>) => void

const answer: OnStream = (stream) => {
  stream.respond({ ':status': 200, 'apns-id': 'one' })
  stream.end('ok')
}

async function serve(onStream: OnStream, isSecure = true) {
  const sessions: unknown[] = []
  const sockets = new Set<Socket>()
  const server: Http2Server = isSecure
    ? createSecureServer({ cert: authority.cert, key: authority.key })
    : createServer()
  server.on('session', (session) => sessions.push(session))
  server.on('sessionError', () => {})
  server.on(isSecure ? 'secureConnection' : 'connection', (socket: Socket) => sockets.add(socket))
  server.on('stream', (stream, headers) => {
    let body = ''
    stream.on('error', () => {})
    stream.on('data', (chunk) => {
      body += String(chunk)
    })
    stream.on('end', () => onStream(stream, body, headers))
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => {
    for (const socket of sockets) socket.destroy()
    server.close()
  })
  return { port: (server.address() as AddressInfo).port, sessions, sockets }
}

function create(port: number, options: OutboundOptions = {}) {
  const connections: string[] = []
  const outbound = createOutbound({
    ...{ allow: [], ca: authority.cert, lookup: async () => [publicAddress] },
    connect({ address }) {
      connections.push(address)
      return connectSocket(port, '127.0.0.1')
    },
    ...options,
  })
  return { ...outbound, connections }
}

describe('a request over HTTP/2', () => {
  it('is sent unchanged, and returns status, headers and text', async () => {
    const received: unknown[] = []
    const { port } = await serve((stream, body, headers) => {
      received.push([body, headers[':method'], headers[':path'], headers[':authority'], headers['x-id']])
      answer(stream, body, headers)
    })
    const reply = await create(port).send(post)
    expect(reply).toMatchObject({ status: 200, headers: { 'apns-id': 'one' }, text: 'ok' })
    expect(received).toEqual([['é', 'POST', '/3/device/a?b=1', 'push.test', '7']])
  })

  it('shares one connection with others, even while it is being opened', async () => {
    const { port, sessions } = await serve(answer)
    const outbound = create(port)
    await Promise.all(Array.from({ length: 20 }, () => outbound.send(post)))
    await outbound.send(post)
    expect(sessions).toHaveLength(1)
    expect(outbound.connections).toHaveLength(1)
  })

  it('without TLS uses HTTP/2 immediately', async () => {
    const { port } = await serve(answer, false)
    expect(await create(port).send({ ...post, url: 'http://push.test/' })).toMatchObject({ status: 200 })
  })

  it('opens a new connection if the first was closed, or if the name now resolves to a different address', async () => {
    const { port, sessions, sockets } = await serve(answer)
    let address = publicAddress
    const outbound = create(port, { lookup: async () => [address] })
    await outbound.send(post)
    for (const socket of sockets) socket.destroy()
    await expect.poll(() => outbound.send(post).then(({ status }) => status, String)).toBe(200)
    address = '93.184.216.35'
    await outbound.send(post)
    expect(sessions).toHaveLength(3)
    address = '10.0.0.1'
    expect(await failureOf(outbound.send(post))).toMatchObject({ code: 'PRIVATE_IP', isRefused: true })
  })

  it('that the peer refuses to process is reported like a refused connection', async () => {
    const { port } = await serve((stream) => stream.close(7))
    expect(await failureOf(create(port).send(post))).toMatchObject({ code: 'ECONNREFUSED', phase: 'connect' })
  })

  it.each<[string, OnStream, string]>([
    ['that is cut off', (stream) => stream.session?.destroy(), 'ECONNRESET'],
    ['that is reset', (stream) => stream.close(2), 'RequestUploadError'],
    [
      'with a longer answer than allowed',
      (stream) => {
        stream.respond({ ':status': 200 })
        stream.end('x'.repeat(2000))
      },
      'ResponseReadError',
    ],
  ])('%s fails', async (_what, onStream, code) => {
    const { port } = await serve(onStream)
    expect(await failureOf(create(port, { maxAnswerBytes: 1000 }).send(post))).toMatchObject({ code })
  })

  it('ends at its timeout, and does not affect others on the connection', async () => {
    let count = 0
    const { port, sessions } = await serve((stream, body, headers) => {
      if (count++ > 0) answer(stream, body, headers)
    })
    const outbound = create(port, { timeoutMs: 300 })
    expect(await failureOf(outbound.send(post))).toMatchObject({ code: 'BridgeRequestTimeout' })
    expect(await outbound.send(post)).toMatchObject({ status: 200 })
    expect(sessions).toHaveLength(1)
  })

  it('to a peer that does not support HTTP/2 fails', async () => {
    const old = await serveHttp(json(200, {}), { cert: authority.cert, key: authority.key })
    expect((await failureOf(create(old.port).send(post))).name).toBe('OutboundError')
    expect(old.received).toEqual([])
    const { port } = await serveRaw((socket) => socket.end('HTTP/1.1 400 Bad Request\r\n\r\n'))
    expect((await failureOf(create(port).send({ ...post, url: 'http://push.test/' }))).name).toBe('OutboundError')
  })

  it('to a peer with an untrusted certificate sends nothing', async () => {
    const { port, sessions } = await serve(answer)
    const other = createCertificate('push.test')
    expect(await failureOf(create(port, { ca: other.cert }).send(post))).toMatchObject({
      ...{ code: 'SelfSignedCertificate', phase: 'secure' },
    })
    expect(sessions).toEqual([])
  })

  it.each([['yes'], [1], [null]])('with http2: %j is rejected', async (http2) => {
    const failure = await failureOf(create(1).send({ ...post, http2: http2 as never }))
    expect(failure).toMatchObject({ code: 'RequestCacheError' })
  })
})
