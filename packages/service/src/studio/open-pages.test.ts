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

const keyless = ['/', '/studio', '/studio/', '/studio/session', '/studio/workflows', '/mcp', '/metrics']

describe('pages that ask for no key', () => {
  test('answer loopback names on the own port', async (context) => {
    const { get, port } = await start(context)
    for (const name of ['127.0.0.1', 'localhost', '[::1]'])
      for (const path of keyless) {
        const host = `${name}:${port}`
        expect((await get(path, { ...own, host })).status, path).not.toBe(403)
        expect((await get(path, { ...own, host, origin: `http://${host}` })).status, path).not.toBe(403)
      }
  })

  test('refuse every other name, also those of allowedHosts', async (context) => {
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
      for (const path of keyless) {
        const { status, text } = await get(path, { ...own, ...headers })
        expect(status, `${path} ${JSON.stringify(headers)}`).toBe(403)
        expect(JSON.parse(text)).toMatchObject({ statusCode: 403, message: expect.any(String) })
        expect(text).not.toContain(testKeys.Development)
      }
  })

  test('refuse what a proxy or a tunnel hands on, whatever host it names', async (context) => {
    const { get, port } = await start(context)
    const headers = [
      ...[{ 'x-forwarded-for': '203.0.113.9' }, { 'x-forwarded-host': tunnel }, { 'x-forwarded-proto': 'https' }],
      ...[{ forwarded: 'for=203.0.113.9' }, { 'x-real-ip': '203.0.113.9' }, { 'cf-connecting-ip': '203.0.113.9' }],
      ...[{ via: '1.1 proxy' }, { 'x-forwarded-for': '' }],
    ]
    for (const header of headers)
      for (const path of keyless) {
        const { status, text } = await get(path, { ...own, host: `localhost:${port}`, ...header } as never)
        expect(status, `${path} ${JSON.stringify(header)}`).toBe(403)
        expect(text).not.toContain(testKeys.Development)
      }
  })
})

test('allowedHosts open what asks for a key or holds no data', async (context) => {
  const { get } = await start(context)
  const handedOn = { host: tunnel, 'x-forwarded-for': '203.0.113.9', 'x-forwarded-host': tunnel }
  const withKey = { ...handedOn, authorization: `ApiKey ${testKeys.Development}` }
  expect((await get('/v1/environments/me', withKey)).status).toBe(200)
  expect((await get('/v1/environments/me', handedOn)).status).toBe(401)
  for (const path of ['/health', '/openapi.json']) expect((await get(path, handedOn)).status, path).toBe(200)
  expect((await get('/health', { host: 'evil.example' })).status).toBe(403)
})
