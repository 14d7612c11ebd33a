import { once } from 'node:events'
import { Agent, request, type ServerResponse } from 'node:http'
import { type AddressInfo, connect, type Socket } from 'node:net'
import { describe, expect, type TestContext, test } from 'vitest'
import { type Answer, createNodeServer } from './node-server.ts'

async function serve(context: TestContext, answer: Answer) {
  const { server } = createNodeServer(answer, () => 0)
  const responses: ServerResponse[] = []
  server.on('request', (_request, response) => responses.push(response))
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  context.onTestFinished(() => {
    server.closeAllConnections()
    server.close()
  })
  return { port: (server.address() as AddressInfo).port, responses }
}

function open(context: TestContext, port: number): Promise<Socket> {
  return new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1', () => resolve(socket))
    socket.on('error', () => undefined)
    context.onTestFinished(() => void socket.destroy())
  })
}

describe('an event stream', () => {
  test('leaves no listeners behind, however often its reader pauses', async (context) => {
    async function* body(signal: AbortSignal) {
      for (let count = 0; count < 200 && !signal.aborted; count++) yield 'x'.repeat(65_536)
    }
    const { port, responses } = await serve(context, async ({ signal }) => ({
      status: 200,
      headers: { 'content-type': 'text/event-stream' },
      body: body(signal),
    }))
    const socket = await open(context, port)
    const most = { close: 0, drain: 0 }
    await new Promise((resolve) => {
      socket.on('data', () => {
        for (const name of ['close', 'drain'] as const)
          most[name] = Math.max(most[name], responses[0]?.listenerCount(name) ?? 0)
        socket.pause()
        setTimeout(() => socket.resume(), 2)
      })
      socket.on('end', resolve)
      socket.write('GET / HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n')
    })
    expect(most.close).toBeLessThanOrEqual(4)
    expect(most.drain).toBeLessThanOrEqual(3)
  })
})

describe('closing', () => {
  test('serves requests on open connections while draining, and rejects new connections', async (context) => {
    const { server, close } = createNodeServer(
      async () => ({ status: 200, headers: {}, body: 'ok' }),
      () => 0,
    )
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    context.onTestFinished(() => server.closeAllConnections())
    const { port } = server.address() as AddressInfo
    const [busy, idle] = [await open(context, port), await open(context, port)]
    const ask = (socket: Socket): Promise<string> =>
      new Promise((resolve, reject) => {
        socket.once('data', (data) => resolve(String(data))).once('close', () => reject(new Error('was reset')))
        socket.write('GET / HTTP/1.1\r\nHost: x\r\n\r\n')
      })
    expect(await ask(busy)).toContain('Connection: keep-alive')
    await ask(idle)
    const closed = close(60_000, 60_000)
    expect(await ask(busy)).toMatch(/^HTTP\/1\.1 200 OK\r\nconnection: close\r\n/i)
    const refused = connect(port, '127.0.0.1')
    expect(await once(refused, 'error')).toMatchObject([{ code: 'ECONNREFUSED' }])
    idle.destroy()
    // The server stops when its last connection closes, long before the timeout.
    await closed
  })
})

describe('a request that is rejected before its body has arrived', () => {
  const large = Buffer.alloc(20_000_000, 'x')
  const refused: Answer = async () => ({ status: 401, headers: {}, body: '{}' })
  const measured: Answer = async ({ readBody }) => {
    const status = await readBody(1_000_000).then(
      () => 200,
      () => 413,
    )
    return { status, headers: {}, body: '{}' }
  }

  test.each([
    ['unread', refused, 401, { 'content-length': large.length }],
    ['unread, in chunks', refused, 401, {}],
    ['over the limit', measured, 413, { 'content-length': large.length }],
    ['over the limit, in chunks', measured, 413, {}],
  ])('gets a response, and the connection serves the next request: %s', async (...[, answer, status, headers]) => {
    const ends: (() => void)[] = []
    const context = { onTestFinished: (end: () => void) => ends.push(end) } as unknown as TestContext
    const { port } = await serve(context, answer)
    const agent = new Agent({ keepAlive: true, maxSockets: 1 })
    const send = (method: string, body: Buffer | undefined): Promise<unknown> =>
      new Promise((resolve) => {
        const call = request({ port, agent, method, headers: body ? headers : {} }, (reply) =>
          reply.resume().on('end', () => resolve(reply.statusCode)),
        )
        call.on('error', (error) => resolve(error.message))
        if (body) call.write(body)
        call.end()
      })
    const statuses: unknown[] = []
    for (let round = 0; round < 3; round++) statuses.push(await send('POST', large), await send('GET', undefined))
    agent.destroy()
    for (const end of ends) end()
    expect(new Set(statuses)).toEqual(new Set([status, answer === refused ? 401 : 200]))
  })

  test('gets a response even if the caller reads late and keeps sending until then', async (context) => {
    const { port } = await serve(context, refused)
    const socket = await open(context, port)
    socket.pause()
    socket.write(`POST / HTTP/1.1\r\nHost: x\r\nContent-Length: ${large.length}\r\n\r\n`)
    for (let count = 0; count < 20; count++) {
      socket.write(large.subarray(0, 100_000))
      await new Promise((resolve) => setTimeout(resolve, 10))
    }
    const text = await new Promise((resolve) => {
      socket.on('data', (piece) => resolve(String(piece)))
      socket.on('close', () => resolve('closed'))
      socket.resume()
    })
    expect(text).toMatch(/^HTTP\/1.1 401 /)
  })

  test('is disconnected after a second if its body does not end', async (context) => {
    const { port } = await serve(context, refused)
    const socket = await open(context, port)
    const startMs = performance.now()
    const closed = new Promise((resolve) => socket.on('close', resolve))
    let text = ''
    socket.on('data', (piece) => {
      text += piece
    })
    socket.write('POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 1000\r\n\r\nabc')
    await closed
    expect(text).toMatch(/^HTTP\/1.1 401 /)
    expect(performance.now() - startMs).toBeGreaterThan(900)
  })
})

test.for(['close', 'keep-alive'])(
  'a request gets a response even if the caller sends everything before reading (connection: %s)',
  async (connection, context) => {
    const reply = { status: 401, headers: { 'content-type': 'application/json' }, body: '{}' }
    const { port } = await serve(context, async () => reply)
    const rest = Buffer.alloc(19 * 2 ** 20, 'x')
    const answers = Array.from({ length: 12 }, async () => {
      const socket = await open(context, port)
      socket.pause()
      socket.write(`POST / HTTP/1.1\r\nhost: a\r\ncontent-length: ${rest.length}\r\nconnection: ${connection}\r\n\r\n`)
      socket.write(rest, () => socket.resume())
      return new Promise<string>((resolve) => {
        let text = ''
        socket.on('data', (part) => {
          text += String(part)
          socket.end()
        })
        socket.on('close', () => resolve(text.slice(0, 12)))
      })
    })
    expect(new Set(await Promise.all(answers))).toEqual(new Set(['HTTP/1.1 401']))
  },
)
