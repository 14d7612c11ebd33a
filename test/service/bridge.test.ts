import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { secretKey, startWorld, type World } from './world.fixture.ts'

let world: World
beforeAll(async () => {
  world = await startWorld()
})
afterAll(() => world.stop())

async function sync(bridgeUrl: string) {
  const response = await fetch(`${world.service.url}/v1/bridge/sync`, {
    method: 'POST',
    headers: { authorization: `ApiKey ${secretKey}`, 'content-type': 'application/json' },
    body: JSON.stringify({ bridgeUrl }),
  })
  return { status: response.status, body: (await response.json()) as { message: string } & Record<string, unknown> }
}
const storedUrl = async () =>
  ((await world.call('GET /v1/environments/me')) as { data: { bridge: { url: string } } }).data.bridge.url
const workflows = async () =>
  ((await world.call('GET /v2/workflows')) as { workflows: { workflowId: string }[] }).workflows
    .map(({ workflowId }) => workflowId)
    .sort()

test('returns the status of the stored bridge', async () => {
  expect(await world.call('GET /v1/bridge/status')).toMatchObject({ data: { status: 'ok' } })
})

test.each([
  ['not a URL', 'nonsense', /^bridgeUrl: .*URL/],
  ['another scheme', 'ftp://127.0.0.1/x', /^bridgeUrl: .*scheme/i],
  ['user info', 'http://user:pass@127.0.0.1/x', /^bridgeUrl: .*credentials/i],
  ['a name that is never allowed', 'http://localhost:4000/x', /^bridgeUrl: .*host/i],
  ['a private address', 'http://10.1.2.3/x', /^bridgeUrl: .*10\.1\.2\.3/],
])('a sync of %s is rejected, and changes nothing', async (_name, url, message) => {
  const { status, body } = await sync(url)
  expect(status).toBe(400)
  expect(body).toEqual({ message: expect.stringMatching(message) })
  expect(await storedUrl()).toBe(world.bridgeUrl)
  expect(await workflows()).toEqual(['reminder', 'welcome'])
})

test('a sync of a failing bridge keeps the existing workflows', async () => {
  const server = createServer((_request, response) => response.writeHead(500).end('oops'))
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { status, body } = await sync(`http://127.0.0.1:${(server.address() as AddressInfo).port}/api`)
  server.close()
  expect(status).toBe(400)
  expect(body).toEqual({ message: expect.stringContaining('answered with an unexpected status') })
  expect(await storedUrl()).toBe(world.bridgeUrl)
  expect(await workflows()).toEqual(['reminder', 'welcome'])
})

test.each([
  ['without an address', {}, 'bridgeUrl: invalid URL format'],
  ['of an empty address', { bridgeUrl: '' }, 'bridgeUrl: invalid URL format'],
  ['of a number', { bridgeUrl: 5 }, 'bridgeUrl: invalid URL format'],
  ['of an address that is too long', { bridgeUrl: `http://${'a'.repeat(5000)}` }, 'bridgeUrl: invalid URL format'],
  [
    'with another field',
    { bridgeUrl: 'http://127.0.0.1', url: 'http://b' },
    expect.stringContaining('url: is not a field'),
  ],
  ['of a list', [], expect.stringContaining('object')],
])('a sync %s returns 400 with only a message', async (_name, sent, message) => {
  const response = await fetch(`${world.service.url}/v1/bridge/sync`, {
    method: 'POST',
    headers: { authorization: `ApiKey ${secretKey}`, 'content-type': 'application/json' },
    body: JSON.stringify(sent),
  })
  expect([response.status, await response.json()]).toEqual([400, { message }])
})

test('a bridge failure with status 500 is tracked like any other error with that status', async () => {
  const server = createServer((_request, response) => response.writeHead(418).end('tea'))
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const bridgeUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}/api`
  const response = await fetch(`${world.service.url}/v1/bridge/status?${new URLSearchParams({ bridgeUrl })}`, {
    headers: { authorization: `ApiKey ${secretKey}` },
  })
  server.close()
  expect(response.status).toBe(500)
  expect(await response.json()).toMatchObject({
    statusCode: 500,
    message: expect.stringContaining('an unexpected status'),
    errorId: expect.stringMatching(/^[\da-f-]{36}$/),
    ctx: { code: 'UnknownBridgeRequestError' },
  })
})

test.each([429, 503])('a bridge that returns %i makes the caller wait and retry', async (status) => {
  const error = { code: 'NonceStoreUnavailableError', message: 'Busy.', data: null }
  const server = createServer((_request, response) => response.writeHead(status).end(JSON.stringify(error)))
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const bridgeUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}/api`
  const response = await fetch(`${world.service.url}/v1/bridge/status?${new URLSearchParams({ bridgeUrl })}`, {
    headers: { authorization: `ApiKey ${secretKey}` },
  })
  server.close()
  expect(response.status).toBe(status)
  expect(response.headers.get('retry-after')).toMatch(/^[1-9]\d*$/)
})

test.each([
  ['GET', '/v1/bridge/status?bridgeUrl=URL', undefined],
  ['POST', '/v1/bridge/diff', { bridgeUrl: 'URL' }],
] as const)('%s %s forwards status, message and data of the bridge’s own error', async (method, path, sent) => {
  const error = { code: 'WorkflowAlreadyExistsError', message: 'Two are called a.', data: { workflowId: 'a' } }
  const server = createServer((_request, response) => response.writeHead(409).end(JSON.stringify(error)))
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const bridgeUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  const response = await fetch(world.service.url + path.replace('URL', encodeURIComponent(bridgeUrl)), {
    method,
    headers: { authorization: `ApiKey ${secretKey}`, 'content-type': 'application/json' },
    ...(sent ? { body: JSON.stringify({ bridgeUrl }) } : {}),
  })
  server.close()
  const { code, message, data } = error
  expect([response.status, await response.json()]).toMatchObject([409, { message, ctx: { code, data } }])
})
