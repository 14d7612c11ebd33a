import { once } from 'node:events'
import { type AddressInfo, connect, createServer } from 'node:net'
import { expect, onTestFinished, type TestContext, test } from 'vitest'
import { findFreePort } from '../../../../test/free-port.ts'
import { openSession } from '../operations/browser-inbox/inbox.fixture.ts'
import { startTestService } from '../operations/service.fixture.ts'
import { startService } from './start-service.ts'

const encryptionKey = Buffer.alloc(32, 5).toString('base64')
const local = 'http://localhost:5173'

/** Returns the first line of the response to a handshake. */
async function shake(url: string, query: string, headers: Readonly<Record<string, string>> = {}): Promise<string> {
  const { port, host } = new URL(url)
  const socket = connect(Number(port), '127.0.0.1')
  const lines = [
    `GET /socket.io/?EIO=4&transport=${query} HTTP/1.1`,
    ...['connection: Upgrade', 'upgrade: websocket', 'sec-websocket-version: 13'],
    'sec-websocket-key: dGhlIHNhbXBsZSBub25jZQ==',
    ...Object.entries({ host, ...headers }).map(([name, value]) => `${name}: ${value}`),
  ]
  socket.write(`${lines.join('\r\n')}\r\n\r\n`)
  const [data] = await once(socket, 'data')
  socket.destroy()
  return String(data).split('\r\n')[0] ?? ''
}

const start = (context: TestContext) => startTestService('sqlite', context, { socketPort: 0 })

test('opens a socket with a session token, for pages of allowed origins', async (context) => {
  const service = await start(context)
  const url = service.service.socketUrl ?? ''
  const token = await openSession(service, 'ada')
  const opened = 'HTTP/1.1 101 Switching Protocols'
  expect(await shake(url, `websocket&token=${token}`)).toBe(opened)
  expect(await shake(url, `websocket&token=${token}`, { origin: local })).toBe(opened)
  const refused: readonly (readonly [string, Readonly<Record<string, string>>])[] = [
    [`websocket&token=${token}`, { origin: 'https://example.com' }],
    [`websocket&token=${token}`, { host: 'example.com' }],
    ['websocket', {}],
    ['websocket&token=x', {}],
    [`websocket&token=${token}x`, {}],
    [`polling&token=${token}`, {}],
  ]
  for (const [query, headers] of refused)
    expect([query, await shake(url, query, headers)]).toEqual([query, expect.stringMatching(/^HTTP\/1\.1 40[03] /)])
  const plain = await fetch(`${url}/v1/environments/me`)
  expect([plain.status, (await plain.json()).statusCode]).toEqual([404, 404])
})

test.each(['port', 'socketPort'] as const)(
  'fails to start if %s is in use, and leaves no port open',
  async (option) => {
    const blocker = createServer()
    blocker.listen(0, '127.0.0.1')
    await once(blocker, 'listening')
    onTestFinished(() => void blocker.close())
    const taken = (blocker.address() as AddressInfo).port
    const free = await findFreePort()
    const ports = { port: free, socketPort: free, [option]: taken }
    const start = () =>
      startService({ ...ports, host: '127.0.0.1', databaseFile: ':memory:', encryptionKey, logLevel: 'silent' })
    await expect(start()).rejects.toMatchObject({
      code: 'EADDRINUSE',
      message: expect.stringMatching(
        new RegExp(`^Port ${taken} on 127.0.0.1 is already used by another program. .*\`${option}\``),
      ),
    })
    // Ports opened before the failure are closed.
    await expect(fetch(`http://127.0.0.1:${free}/health`)).rejects.toThrow()
  },
)

test('serves no sockets without a port', async (context) => {
  expect((await startTestService('sqlite', context)).service.socketUrl).toBeUndefined()
})
