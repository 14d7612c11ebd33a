import { connect as connectSocket, type Socket } from 'node:net'
import { describe, expect, it } from 'vitest'
import { createCertificate } from '../../fixtures/certificate.ts'
import { createManualTimer, createTestClient, failureOf } from '../../fixtures/client.ts'
import { json, serveHttp, serveRaw } from '../../fixtures/server.ts'

describe('certificates', () => {
  const authority = createCertificate('Test Authority', { isAuthority: true })
  const leaf = createCertificate('bridge.test', { issuer: authority })
  const bridgeUrl = 'https://bridge.test/api/bridge'
  const serve = (cert: string, key: string) => serveHttp(json(200, { workflows: [] }), { cert, key })

  it('from a trusted authority are accepted, and the server name is sent', async () => {
    const { port, received } = await serve(leaf.cert, leaf.key)
    const client = createTestClient({ bridgeUrl, port, ca: authority.cert })
    await expect(client.discover()).resolves.toEqual({ workflows: [] })
    expect(received[0]?.headers.host).toBe('bridge.test')
  })

  it.each(['Production', 'production', 'Staging', 'Dev', 'development2', ' Development', ''])(
    'that are self-signed give SelfSignedCertificate in the environment "%s"',
    async (environmentName) => {
      const own = createCertificate('bridge.test')
      const { port, received } = await serve(own.cert, own.key)
      const client = createTestClient({ bridgeUrl, port, environmentName })
      expect(await failureOf(client.discover())).toMatchObject({
        code: 'SelfSignedCertificate',
        status: 400,
        message: 'The bridge at https://bridge.test/api/bridge uses a self-signed certificate.',
      })
      expect(received).toEqual([])
      expect(client.waits).toEqual([])
    },
  )

  it.each([
    ['expired', { expired: true }],
    ['of another name', {}],
    ['an authority', { isAuthority: true }],
    ['expired and an authority', { expired: true, isAuthority: true }],
  ])('that are self-signed and %s give SelfSignedCertificate', async (what, options) => {
    const own = createCertificate(what === 'of another name' ? 'other.test' : 'bridge.test', options)
    const { port, received } = await serve(own.cert, own.key)
    const client = createTestClient({ bridgeUrl, port })
    expect((await failureOf(client.discover())).code).toBe('SelfSignedCertificate')
    expect(received).toEqual([])
    expect(client.waits).toEqual([])
  })

  it('that are self-signed are accepted if trusted for a name, and only for that name', async () => {
    const own = createCertificate('bridge.test')
    const { port } = await serve(own.cert, own.key)
    await expect(createTestClient({ bridgeUrl, port, ca: own.cert }).discover()).resolves.toEqual({ workflows: [] })
    const other = createTestClient({ bridgeUrl: 'https://other.test/', port, ca: own.cert })
    expect(await failureOf(other.discover())).toMatchObject({
      code: 'UnknownBridgeNonRequestError',
      cause: { error: { code: 'ERR_TLS_CERT_ALTNAME_INVALID' } },
    })
  })

  it('are checked regardless of Node’s environment variable', async () => {
    const own = createCertificate('bridge.test')
    const { port, received } = await serve(own.cert, own.key)
    process.env['NODE_TLS_REJECT_UNAUTHORIZED'] = '0'
    try {
      expect((await failureOf(createTestClient({ bridgeUrl, port }).discover())).code).toBe('SelfSignedCertificate')
    } finally {
      delete process.env['NODE_TLS_REJECT_UNAUTHORIZED']
    }
    expect(received).toEqual([])
  })

  it('with a self-signed chain give SelfSignedCertificate', async () => {
    const { port } = await serve(leaf.cert + authority.cert, leaf.key)
    expect((await failureOf(createTestClient({ bridgeUrl, port }).discover())).code).toBe('SelfSignedCertificate')
  })

  it.each([
    ['of an unknown authority', leaf, undefined, 'UNABLE_TO_VERIFY_LEAF_SIGNATURE'],
    [
      'of another name',
      createCertificate('other.test', { issuer: authority }),
      authority.cert,
      'ERR_TLS_CERT_ALTNAME_INVALID',
    ],
    [
      'out of date',
      createCertificate('bridge.test', { issuer: authority, expired: true }),
      authority.cert,
      'CERT_HAS_EXPIRED',
    ],
  ])('%s give UnknownBridgeNonRequestError with the cause', async (_what, { cert, key }, ca, code) => {
    const { port, received } = await serve(cert, key)
    const client = createTestClient({ bridgeUrl, port, ...(ca === undefined ? {} : { ca }) })
    const failure = await failureOf(client.discover())
    expect(failure).toMatchObject({
      code: 'UnknownBridgeNonRequestError',
      status: 500,
      message: 'The call to the bridge at https://bridge.test/api/bridge failed for an unknown reason.',
      cause: { error: { code } },
    })
    expect(failure.message).not.toContain(code)
    expect(received).toEqual([])
  })

  it.each(['Development', 'development', 'DEVELOPMENT'])(
    'are not checked in the environment %s',
    async (environmentName) => {
      const own = createCertificate('other.test', { expired: true })
      const { port } = await serve(own.cert, own.key)
      await expect(createTestClient({ bridgeUrl, port, environmentName }).discover()).resolves.toEqual({
        workflows: [],
      })
    },
  )

  it('leave no socket open, whether accepted or rejected', async () => {
    const own = createCertificate('bridge.test')
    const sockets: Socket[] = []
    const { port } = await serve(own.cert, own.key)
    const connect = () => {
      const socket = connectSocket(port, '127.0.0.1')
      sockets.push(socket)
      return socket
    }
    await failureOf(createTestClient({ bridgeUrl, connect }).discover())
    await createTestClient({ bridgeUrl, connect, environmentName: 'Development' }).discover()
    await expect.poll(() => sockets.map(({ destroyed }) => destroyed)).toEqual([true, true])
  })

  it('use the IP address if the URL has one', async () => {
    const own = createCertificate('127.0.0.1', { issuer: authority })
    const { port } = await serve(own.cert, own.key)
    const options = { bridgeUrl: `https://127.0.0.1:${port}/`, port, ca: authority.cert, allow: ['127.0.0.0/8'] }
    await expect(createTestClient(options).discover()).resolves.toEqual({ workflows: [] })
  })

  it('of a port that does not speak TLS give UnknownBridgeNonRequestError', async () => {
    const { port } = await serveRaw((socket) =>
      socket.once('data', () => socket.end('HTTP/1.1 400 Bad Request\r\n\r\n')),
    )
    expect((await failureOf(createTestClient({ bridgeUrl, port }).discover())).code).toBe(
      'UnknownBridgeNonRequestError',
    )
  })

  it('that are never sent give BridgeRequestTimeout, and a closed handshake gives ECONNRESET', async () => {
    const timer = createManualTimer()
    const silent = await serveRaw((socket) => socket.once('data', timer.fire))
    const client = createTestClient({ bridgeUrl, port: silent.port, startTimer: timer.startTimer })
    expect((await failureOf(client.discover())).code).toBe('BridgeRequestTimeout')
    const closing = await serveRaw((socket) => socket.once('data', () => socket.destroy()))
    expect((await failureOf(createTestClient({ bridgeUrl, port: closing.port }).discover())).code).toBe('ECONNRESET')
  })
})
