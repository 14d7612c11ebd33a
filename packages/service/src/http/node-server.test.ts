import type { ServerResponse } from 'node:http'
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

describe('a stream of events', () => {
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
