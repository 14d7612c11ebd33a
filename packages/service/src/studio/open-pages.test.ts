import { request } from 'node:http'
import { describe, expect, type TestContext, test } from 'vitest'
import { startTestService, testKeys } from '../start/service.fixture.ts'

const tunnel = 'my-tunnel.example.com'
const own = { 'sec-fetch-site': 'same-origin' }

interface Answer {
  readonly status: number
  readonly text: string
}

async function start(context: TestContext) {
  const { service } = await startTestService('sqlite', context, {
    studio: true,
    allowedHosts: [tunnel, 'localhost:9999'],
    mounts: { '/mcp': async () => ({ status: 200, headers: {}, body: 'mounted' }) },
  })
  const { port } = new URL(service.url)
  const get = (path: string, headers: Readonly<Record<string, string>>): Promise<Answer> =>
    new Promise((resolve, reject) => {
      const sent = request({ host: '127.0.0.1', port, path, headers }, (response) => {
        const chunks: Buffer[] = []
        response.on('data', (chunk: Buffer) => chunks.push(chunk))
        response.on('end', () => resolve({ status: response.statusCode ?? 0, text: Buffer.concat(chunks).toString() }))
      })
      sent.on('error', reject)
      sent.end()
    })
  return { get, port }
}

const key = `ApiKey ${testKeys.Development}`
const pages = ['/', '/studio', '/studio/', '/studio/workflows']
const mounts = ['/mcp']

describe('studio and mounts', () => {
  test('serve loopback names on their own port', async (context) => {
    const { get, port } = await start(context)
    for (const name of ['127.0.0.1', 'localhost', '[::1]'])
      for (const path of [...pages, ...mounts]) {
        const host = `${name}:${port}`
        const authorization = key
        expect((await get(path, { ...own, host, authorization })).status, path).toBeLessThan(400)
        const withOrigin = { ...own, host, authorization, origin: `http://${host}` }
        expect((await get(path, withOrigin)).status, path).toBeLessThan(400)
      }
  })

  test('reject all other names, including those of allowedHosts, even with a key', async (context) => {
    const { get, port } = await start(context)
    const host = `localhost:${port}`
    const refused = [
      { host: tunnel },
      { host: tunnel, origin: `https://${tunnel}` },
      { host: 'localhost:9999' },
      { host, origin: `https://${tunnel}` },
      { host, origin: 'http://localhost:9999' },
    ]
    for (const headers of refused)
      for (const path of [...pages, ...mounts, '/studio/session']) {
        const { status, text } = await get(path, { ...own, ...headers, authorization: key, 'studio-session': 'x' })
        expect(status, `${path} ${JSON.stringify(headers)}`).toBe(403)
        expect(JSON.parse(text)).toMatchObject({ statusCode: 403, message: expect.any(String) })
      }
  })

  test('reject calls forwarded by a proxy or a tunnel', async (context) => {
    const { get, port } = await start(context)
    const headers = [
      ...[{ 'x-forwarded-for': '203.0.113.9' }, { 'x-forwarded-host': tunnel }, { 'x-forwarded-proto': 'https' }],
      ...[{ forwarded: 'for=203.0.113.9' }, { 'x-real-ip': '203.0.113.9' }, { 'cf-connecting-ip': '203.0.113.9' }],
      ...[{ via: '1.1 proxy' }, { 'x-forwarded-for': '' }],
    ]
    for (const header of headers)
      for (const path of [...pages, ...mounts, '/studio/session']) {
        const sent = { ...own, authorization: key, 'studio-session': 'x', host: `localhost:${port}`, ...header }
        const { status } = await get(path, sent as never)
        expect(status, `${path} ${JSON.stringify(header)}`).toBe(403)
      }
  })
})

// Everything that a bare `proxy_pass`, a raw TCP forwarder or another user's program can send. None of it proves that
// the caller is local.
const disguises: readonly Readonly<Record<string, string>>[] = [
  {},
  { 'sec-fetch-site': 'none' },
  own,
  { ...own, 'sec-fetch-mode': 'cors', 'sec-fetch-dest': 'empty', origin: 'http://127.0.0.1:PORT' },
  { 'fly-client-ip': '203.0.113.9' },
  { 'x-envoy-external-address': '203.0.113.9' },
  { 'tailscale-user-login': 'mallory@example.com' },
  { 'studio-session': '' },
  { ...own, 'studio-session': 'x'.repeat(43), cookie: `trestle_studio_PORT=${'x'.repeat(43)}` },
  { authorization: 'ApiKey sk_wrong_0123456789' },
]

test('the studio and mounts give no access without a key or a session, however a call is disguised', async (context) => {
  const { get, port } = await start(context)
  for (const disguise of disguises) {
    const headers = Object.fromEntries(
      Object.entries(disguise).map(([name, value]) => [name, value.replace('PORT', port)]),
    )
    for (const path of ['/studio/session', '/metrics', '/mcp', '/v1/environments', '/v1/studio/outbox'])
      for (const host of [`127.0.0.1:${port}`, `localhost:${port}`]) {
        const { status, text } = await get(path, { ...headers, host })
        expect(status, `${path} ${JSON.stringify(headers)}`).toBe(401)
        expect(Object.keys(JSON.parse(text))).toEqual(['statusCode', 'timestamp', 'path', 'message', 'error'])
      }
  }
})

test('/metrics accepts any key under every name of the service, and mounts accept those of their environments', async (context) => {
  const { get, port } = await start(context)
  const host = `127.0.0.1:${port}`
  const production = `ApiKey ${testKeys.Production}`
  for (const authorization of [key, production])
    expect((await get('/metrics', { host, authorization })).status).toBe(200)
  expect((await get('/metrics', { host: tunnel, authorization: key, 'x-forwarded-for': '203.0.113.9' })).status).toBe(
    200,
  )
  expect((await get('/mcp', { host, authorization: production })).status).toBe(403)
})

test('/metrics requires a key on every address', async (context) => {
  const { service, call } = await startTestService('sqlite', context, { host: '0.0.0.0' })
  expect((await fetch(`http://127.0.0.1:${new URL(service.url).port}/metrics`)).status).toBe(401)
  expect((await call('GET /metrics')).status).toBe(200)
})

test('allowedHosts applies only to pages that require a key or contain no data', async (context) => {
  const { get } = await start(context)
  const handedOn = { host: tunnel, 'x-forwarded-for': '203.0.113.9', 'x-forwarded-host': tunnel }
  const withKey = { ...handedOn, authorization: `ApiKey ${testKeys.Development}` }
  expect((await get('/v1/environments/me', withKey)).status).toBe(200)
  expect((await get('/v1/environments/me', handedOn)).status).toBe(401)
  for (const path of ['/health', '/openapi.json']) expect((await get(path, handedOn)).status, path).toBe(200)
  expect((await get('/health', { host: 'evil.example' })).status).toBe(403)
})
