import { once } from 'node:events'
import { connect } from 'node:net'
import { expect, type TestContext, test } from 'vitest'
import { openSession } from '../operations/browser-inbox/inbox.fixture.ts'
import { startTestService } from '../operations/service.fixture.ts'

const local = 'http://localhost:5173'

/** Returns the first line of the answer to a handshake. */
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

test('opens a socket with the token of a session, for pages of allowed origins', async (context) => {
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

test('serves no sockets unless a port is set', async (context) => {
  expect((await startTestService('sqlite', context)).service.socketUrl).toBeUndefined()
})
