import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { request } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { brotliDecompressSync, gunzipSync } from 'node:zlib'
import fc from 'fast-check'
import { describe, expect, type TestContext, test } from 'vitest'
import { draws } from '../../../../test/scope.ts'
import { chooseEncoding } from '../api/encodings.ts'
import { type ServiceOptions, SettingsError } from '../index.ts'
import { startTestService, testKeys } from '../start/service.fixture.ts'
import { startService } from '../start/start-service.ts'

const secretFile = 'this file lies outside of the studio'

/** A folder with the output of a build, next to a file that must never be served. */
function createStudio(context: Pick<TestContext, 'onTestFinished'>): URL {
  const top = mkdtempSync(join(tmpdir(), 'trestle-studio-'))
  context.onTestFinished(() => rmSync(top, { recursive: true, force: true }))
  const folder = join(top, 'dist')
  mkdirSync(join(folder, 'assets'), { recursive: true })
  writeFileSync(join(top, 'secret.txt'), secretFile)
  writeFileSync(join(folder, 'index.html'), '<!doctype html><title>Studio</title>')
  writeFileSync(join(folder, 'assets', 'main-AbCd1234.js'), 'export {}')
  writeFileSync(join(folder, 'logo.svg'), '<svg xmlns="http://www.w3.org/2000/svg"/>')
  writeFileSync(join(folder, 'data.bin'), Buffer.from([0, 255, 128]))
  symlinkSync(join(top, 'secret.txt'), join(folder, 'link.txt'))
  return pathToFileURL(`${folder}/`)
}

interface Answer {
  readonly status: number
  readonly headers: Readonly<Record<string, string | string[] | undefined>>
  readonly bytes: Buffer
  readonly text: string
}

/** Sends an unmodified path, because `fetch` would resolve its dots first. */
function get(url: string, path: string, headers: Readonly<Record<string, string>> = {}): Promise<Answer> {
  const { hostname, port, host } = new URL(url)
  return new Promise((resolve, reject) => {
    const sent = request({ hostname, port, path, headers: { host, ...headers } }, (response) => {
      const chunks: Buffer[] = []
      response.on('data', (chunk: Buffer) => chunks.push(chunk))
      response.on('end', () => {
        const bytes = Buffer.concat(chunks)
        resolve({ status: response.statusCode ?? 0, headers: response.headers, bytes, text: bytes.toString() })
      })
    })
    sent.on('error', reject)
    sent.end()
  })
}

async function start(context: TestContext, options: ServiceOptions = {}) {
  const log: string[] = []
  const write = (line: string) => log.push(line)
  const { service } = await startTestService('sqlite', context, {
    studio: createStudio(context),
    logLevel: 'trace',
    log: { write },
    work: false,
    ...options,
  })
  return { url: service.url, log, service, look: (path: string, headers = {}) => get(service.url, path, headers) }
}

describe('studio files', () => {
  test('are served with their types, and only hashed files are cached', async (context) => {
    const { look } = await start(context)
    const page = await look('/studio/')
    expect(page).toMatchObject({ status: 200, text: '<!doctype html><title>Studio</title>' })
    expect(page.headers).toMatchObject({ 'content-type': 'text/html; charset=utf-8', 'cache-control': 'no-cache' })
    const script = await look('/studio/assets/main-AbCd1234.js')
    expect(script.headers).toMatchObject({
      'content-type': 'text/javascript; charset=utf-8',
      'cache-control': 'public, max-age=31536000, immutable',
      'x-content-type-options': 'nosniff',
    })
    expect((await look('/studio/logo.svg?v=1')).headers['content-type']).toBe('image/svg+xml')
    expect((await look('/studio/data.bin')).bytes).toEqual(Buffer.from([0, 255, 128]))
    for (const path of ['/', '/studio'])
      expect(await look(path)).toMatchObject({ status: 302, headers: { location: '/studio/' } })
  })

  test('are compressed with an encoding that the caller accepts, if their names are hashed', async (context) => {
    const { look } = await start(context)
    const path = '/studio/assets/main-AbCd1234.js'
    const cases: readonly (readonly [accepted: string, encoding: string | undefined])[] = [
      ['gzip, deflate, br, zstd', 'br'],
      ['gzip', 'gzip'],
      ['br;q=0, gzip;q=0.5', 'gzip'],
      ['BR ; q=0.0', undefined],
      ['brotli', undefined],
      ['', undefined],
    ]
    const unpack = { br: brotliDecompressSync, gzip: gunzipSync }
    for (const [accepted, encoding] of cases) {
      const { headers, bytes } = await look(path, { 'accept-encoding': accepted })
      expect(headers['content-encoding'], accepted).toBe(encoding)
      expect(headers['vary']).toContain('accept-encoding')
      const plain = encoding === 'br' || encoding === 'gzip' ? unpack[encoding](bytes) : bytes
      expect(plain.toString()).toBe('export {}')
    }
    for (const other of ['/studio/', '/studio/logo.svg', '/studio/data.bin'])
      expect((await look(other, { 'accept-encoding': 'br' })).headers['content-encoding'], other).toBeUndefined()
  })

  test('are served in linear time, even if the Accept-Encoding header contains many spaces', () => {
    const took = (spaces: number): number => {
      const start = process.cpuUsage()
      expect(chooseEncoding(`a${' '.repeat(spaces)}b, gzip`)).toBe('gzip')
      const { user, system } = process.cpuUsage(start)
      return (user + system) / 1000
    }
    // Quadratic time would take 8 seconds.
    expect(took(100_000)).toBeLessThan(1000)
  })

  test('are replaced by the start page for every app path, and by 404 for files of another build', async (context) => {
    const { look } = await start(context)
    for (const path of ['/studio/workflows/a%2Fb', '/studio/workflows/order.shipped/steps/x', '/studio/errors/E?x=1'])
      expect(await look(path), path).toMatchObject({ status: 200, text: '<!doctype html><title>Studio</title>' })
    const old = await look('/studio/assets/main-00000000.js')
    expect(old.status).toBe(404)
    expect(JSON.parse(old.text)).toMatchObject({ statusCode: 404, path: '/studio/assets/main-00000000.js' })
    expect((await look('/studioX')).status).toBe(404)
  })

  test('allow only their own scripts, and no frames around them', async (context) => {
    const { look } = await start(context)
    const policy = String((await look('/studio/')).headers['content-security-policy'])
    const rules = new Map(policy.split('; ').map((rule) => [rule.split(' ', 1)[0], rule.split(' ').slice(1).join(' ')]))
    expect(rules.get('default-src')).toBe("'none'")
    expect(rules.get('script-src')).toBe("'self'")
    expect(rules.get('connect-src')).toBe("'self'")
    expect(rules.get('frame-ancestors')).toBe("'none'")
    expect(policy).not.toMatch(/unsafe-eval|script-src[^;]*unsafe/)
  })

  test('are the only files that any path can reach', async (context) => {
    const { look } = await start(context)
    const part = fc.constantFrom('..', '.', '%2e%2e', '%2E.', '..%2f', '%2f', '\\', '..\\', '%5c', 'assets', 'link.txt')
    const name = fc.constantFrom('secret.txt', 'link.txt', 'etc/passwd', '%00', 'index.html%00.js', '')
    await fc.assert(
      fc.asyncProperty(fc.array(part, { maxLength: 6 }), name, async (parts, last) => {
        const { text, status } = await look(`/studio/${[...parts, last].join('/')}`)
        expect(text).not.toContain(secretFile)
        expect([200, 404]).toContain(status)
      }),
      { numRuns: draws(50, 500) },
    )
    expect((await look('/studio/link.txt')).text).toContain('<title>Studio</title>')
  })

  test('are replaced by build instructions if missing', async (context) => {
    const empty = pathToFileURL(join(tmpdir(), 'trestle-there-is-no-such-folder/'))
    const { look } = await start(context, { studio: empty })
    const page = await look('/studio/')
    expect(page.status).toBe(503)
    expect(page.text).toContain('turbo run build --filter=@trestle/studio')
  })
})

describe('access to the studio', () => {
  const foreign = { 'sec-fetch-site': 'cross-site' }
  const visit = { ...foreign, 'sec-fetch-mode': 'navigate', 'sec-fetch-dest': 'document' }

  test('allows links from another site, but no other requests from it', async (context) => {
    const { look } = await start(context)
    for (const path of ['/', '/studio/', '/studio/errors/E'])
      expect((await look(path, visit)).status, path).toBeLessThan(400)
    for (const headers of [
      foreign,
      { ...visit, 'sec-fetch-dest': 'iframe' },
      { ...visit, 'sec-fetch-mode': 'no-cors' },
      { ...visit, origin: 'https://evil.example' },
      { ...visit, host: 'evil.example' },
    ])
      expect((await look('/studio/', headers)).status, JSON.stringify(headers)).toBe(403)
    for (const path of ['/studio/session', '/v1/environments', '/health', '/metrics'])
      expect((await look(path, visit)).status, path).toBe(403)
  })

  test('is denied if the studio is disabled', async (context) => {
    const { look } = await start(context, { studio: false })
    for (const path of ['/', '/studio', '/studio/', '/studio/session'])
      expect(await look(path, { 'sec-fetch-site': 'same-origin' }), path).toMatchObject({ status: 404 })
    expect((await look('/studio/', visit)).status).toBe(403)
  })

  test.each([
    [{ studio: true }, /studio/],
    [{ mounts: { '/mcp': async () => ({ status: 200, headers: {}, body: '' }) } }, /mounts/],
  ])('cannot be enabled on hosts other than loopback: %o', async (options, message) => {
    for (const host of ['0.0.0.0', '::', '192.0.2.1', 'service.example']) {
      const starting = startService({ host, port: 0, databaseFile: ':memory:', logLevel: 'silent', ...options })
      await expect(starting).rejects.toThrow(SettingsError)
      await expect(starting).rejects.toThrow(message)
    }
  })
})

describe('mounts', () => {
  test('handle requests of any method on their path, including the body, and use the API’s error format', async (context) => {
    const seen: unknown[] = []
    const authorization = `ApiKey ${testKeys.Development}`
    const { url, look } = await start(context, {
      mounts: {
        '/mcp': async (call) => {
          seen.push([call.method, call.header('x-one'), new TextDecoder().decode(await call.readBody(10))])
          return { status: 202, headers: { 'content-type': 'text/plain' }, body: 'mounted' }
        },
        '/broken': async () => Promise.reject(new Error('a secret of the mount')),
      },
    })
    const reply = await fetch(`${url}/mcp?x=1`, {
      method: 'POST',
      body: 'hello',
      headers: { 'x-one': '1', authorization },
    })
    expect([reply.status, await reply.text()]).toEqual([202, 'mounted'])
    expect((await fetch(`${url}/mcp`, { method: 'DELETE', headers: { authorization } })).status).toBe(202)
    expect(seen).toEqual([
      ['POST', '1', 'hello'],
      ['DELETE', undefined, ''],
    ])
    const long = { method: 'POST', body: 'x'.repeat(11), headers: { authorization } }
    expect((await fetch(`${url}/mcp`, long)).status).toBe(413)
    for (const headers of [
      { host: 'evil.example' },
      { origin: 'https://evil.example' },
      { 'sec-fetch-site': 'cross-site' },
    ])
      expect((await look('/mcp', headers)).status).toBe(403)
    const broken = await look('/broken', { authorization })
    expect(JSON.parse(broken.text)).toMatchObject({ statusCode: 500, errorId: expect.any(String) })
    expect(broken.text).not.toContain('secret')
    expect((await look('/mcp/x', { authorization })).status).toBe(404)
    expect((await look('/__proto__', { authorization })).status).toBe(404)
  })

  test.each(['mcp', '/', '', '/v1/x', '/v2', '/studio', '/studio/x', '/health', '/a b', '/a/', '/{id}', '/a?b'])(
    'are rejected at %j',
    async (path) => {
      const mounts = { [path]: async () => ({ status: 200, headers: {}, body: '' }) }
      await expect(startService({ port: 0, databaseFile: ':memory:', mounts })).rejects.toThrow(SettingsError)
    },
  )
})

test('stopping does not wait for open event streams', async (context) => {
  const { service, url } = await start(context, { stopGraceMs: 60_000 })
  const reply = await fetch(`${url}/v1/studio/events`, {
    headers: { authorization: `ApiKey ${testKeys.Development}` },
  })
  const reading = reply.text().catch(() => 'ended')
  const startedMs = performance.now()
  await service.stop()
  expect(performance.now() - startedMs).toBeLessThan(30_000)
  await reading
})
