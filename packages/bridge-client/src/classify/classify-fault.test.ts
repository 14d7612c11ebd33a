import { Socket } from 'node:net'
import { describe, expect, it } from 'vitest'
import { createManualTimer, createTestClient, failureOf, type TestClient } from '../../fixtures/client.ts'
import { findClosedPort, serveRaw } from '../../fixtures/server.ts'

const unavailable = 'The bridge endpoint at http://bridge.test/api/bridge is unavailable.'
const execute = (client: TestClient) =>
  failureOf(client.execute({ workflowId: 'w', stepId: 's', event: { payload: { text: 'x'.repeat(1000) } } }))

async function expectConnectionFailure(client: TestClient, code: string): Promise<void> {
  expect(await execute(client)).toMatchObject({ code, status: 400, message: unavailable })
  expect(client.waits).toEqual([1000, 2000, 4000])
}

describe('reachability', () => {
  it.each([
    ['ECONNREFUSED', 'ECONNREFUSED'],
    ['ECONNRESET', 'ECONNRESET'],
    ['EADDRINUSE', 'EADDRINUSE'],
    ['EPIPE', 'EPIPE'],
    ['ETIMEDOUT', 'ETIMEDOUT'],
    ['EHOSTUNREACH', 'EHOSTUNREACH'],
    ['ENETUNREACH', 'ENETUNREACH'],
    ['EADDRNOTAVAIL', 'EADDRINUSE'],
    ['EMFILE', 'EADDRINUSE'],
    ['ENETDOWN', 'ENETUNREACH'],
    ['EHOSTDOWN', 'EHOSTUNREACH'],
  ])('maps a connection that fails with %s to the code %s', async (fails, code) => {
    await expectConnectionFailure(createTestClient({ fails }), code)
  })

  it('gives ECONNREFUSED when nothing listens on the port', async () => {
    await expectConnectionFailure(createTestClient({ port: await findClosedPort() }), 'ECONNREFUSED')
  })

  it('gives ECONNRESET when the peer resets the connection after accepting it', async () => {
    const { port } = await serveRaw((socket) => socket.resetAndDestroy())
    await expectConnectionFailure(createTestClient({ port }), 'ECONNRESET')
  })

  it('gives ECONNRESET when the peer closes the connection after accepting it', async () => {
    const { port } = await serveRaw((socket) => socket.end())
    await expectConnectionFailure(createTestClient({ port }), 'ECONNRESET')
  })

  it.each(['resetAndDestroy', 'destroy'] as const)(
    'gives ECONNRESET when the peer ends with %s after the request',
    async (end) => {
      const { port } = await serveRaw((socket) => socket.once('data', () => socket[end]()))
      await expectConnectionFailure(createTestClient({ port }), 'ECONNRESET')
    },
  )

  it.each(['end', 'resetAndDestroy'] as const)(
    'gives ResponseReadError without a retry when the peer ends with %s within the headers',
    async (end) => {
      const { port } = await serveRaw((socket) =>
        socket.once('data', () =>
          socket.write('HTTP/1.1 200 OK\r\ncontent-', () => setTimeout(() => socket[end](), 5)),
        ),
      )
      const client = createTestClient({ port })
      expect((await execute(client)).code).toBe('ResponseReadError')
      expect(client.waits).toEqual([])
    },
  )

  it('gives EPIPE when the connection closes while the body is sent', async () => {
    await expectConnectionFailure(createTestClient({ connect: () => brokenWriter('EPIPE') }), 'EPIPE')
  })

  it('gives ETIMEDOUT when packets are lost', async () => {
    const timer = createManualTimer()
    const connect = () => {
      process.nextTick(timer.fire)
      return silentSocket()
    }
    await expectConnectionFailure(createTestClient({ connect, startTimer: timer.startTimer }), 'ETIMEDOUT')
    expect(timer.asked).toEqual([5000, 5000, 5000, 5000])
  })

  it('gives EAI_AGAIN when the resolver fails temporarily on every attempt', async () => {
    const lookup = async () => Promise.reject(Object.assign(new Error('again'), { code: 'EAI_AGAIN' }))
    const client = createTestClient({ lookup })
    await expectConnectionFailure(client, 'EAI_AGAIN')
    expect(client.lookups).toHaveLength(4)
    expect(client.connections).toEqual([])
  })

  it('gives EAI_AGAIN when the resolver does not respond in time', async () => {
    const timer = createManualTimer()
    const lookup = () => {
      process.nextTick(timer.fire)
      return new Promise<never>(() => {})
    }
    await expectConnectionFailure(createTestClient({ lookup, startTimer: timer.startTimer }), 'EAI_AGAIN')
  })

  it('gives ENOTFOUND when a name disappears on a later attempt', async () => {
    let count = 0
    const gone = Object.assign(new Error('gone'), { code: 'ENOTFOUND' })
    const lookup = async () => (count++ === 0 ? ['8.8.8.8'] : Promise.reject(gone))
    await expectConnectionFailure(createTestClient({ lookup, fails: 'ECONNREFUSED' }), 'ENOTFOUND')
  })

  it('gives DNS_LOOKUP_FAILED when a name has never been resolved and does not exist', async () => {
    let count = 0
    const lookup = async () =>
      Promise.reject(Object.assign(new Error('no'), { code: count++ === 0 ? 'EAI_AGAIN' : 'ENOTFOUND' }))
    const client = createTestClient({ lookup })
    expect((await execute(client)).code).toBe('DNS_LOOKUP_FAILED')
    expect(client.waits).toEqual([1000])
  })

  it.each([
    ['no byte of an answer', ''],
    ['slow headers', 'HTTP/1.1 200 OK\r\ncontent-type: application/json\r\n'],
    ['a slow body', 'HTTP/1.1 200 OK\r\ncontent-length: 50\r\n\r\n{"outputs":'],
  ])('gives BridgeRequestTimeout for %s', async (_what, start) => {
    const timer = createManualTimer()
    const { port } = await serveRaw((socket) =>
      socket.once('data', () => {
        if (start !== '') socket.write(start)
        setTimeout(timer.fire, 20)
      }),
    )
    const client = createTestClient({ port, startTimer: timer.startTimer })
    const message = 'The bridge at http://bridge.test/api/bridge did not finish in time.'
    expect(await execute(client)).toMatchObject({ code: 'BridgeRequestTimeout', status: 408, message })
    expect(client.waits).toEqual([1000, 2000, 4000])
    expect(timer.asked).toEqual([5000, 5000, 5000, 5000])
  })

  it('uses 80 for http and 443 for https if the URL has no port', async () => {
    for (const [bridgeUrl, port] of [
      ['http://bridge.test', 80],
      ['https://bridge.test', 443],
      ['http://bridge.test:8080', 8080],
    ] as const) {
      const client = createTestClient({ bridgeUrl, fails: 'ECONNREFUSED' })
      await failureOf(client.discover())
      expect(client.connections[0]).toBe(`93.184.216.34:${port}`)
    }
  })

  it('gives UnknownBridgeNonRequestError for an unknown failure', async () => {
    const connect = () => {
      throw new Error('odd')
    }
    const failure = await execute(createTestClient({ connect }))
    expect(failure).toMatchObject({ code: 'UnknownBridgeNonRequestError', status: 500 })
    expect(failure.cause).toMatchObject({ error: new Error('odd') })
  })
})

describe('a request', () => {
  it('that cannot be fully sent gives RequestUploadError', async () => {
    const client = createTestClient({ connect: () => brokenWriter('EIO') })
    expect(await execute(client)).toMatchObject({
      code: 'RequestUploadError',
      status: 400,
      message: 'The request body could not be fully sent to the bridge at http://bridge.test/api/bridge.',
    })
    expect(client.waits).toEqual([])
  })

  it('whose event is not JSON gives RequestCacheError before a connection opens', async () => {
    const cycle: Record<string, unknown> = {}
    cycle['self'] = cycle
    const client = createTestClient()
    const failure = await failureOf(client.execute({ workflowId: 'w', stepId: 's', event: { payload: cycle } }))
    expect(failure).toMatchObject({
      code: 'RequestCacheError',
      status: 400,
      message: 'The request to the bridge at http://bridge.test/api/bridge failed before the handler ran.',
    })
    expect(client.connections).toEqual([])
    expect(client.waits).toEqual([])
  })
})

/** Creates a socket that connects but whose writes fail. */
function brokenWriter(code: string) {
  const socket = new Socket()
  socket._write = (_chunk, _encoding, done) => done(Object.assign(new Error(`write ${code}`), { code }))
  socket._writev = (_chunks, done) => done(Object.assign(new Error(`write ${code}`), { code }))
  process.nextTick(() => socket.emit('connect'))
  return socket
}

/** A socket that never emits an event. */
function silentSocket() {
  return new Socket()
}
