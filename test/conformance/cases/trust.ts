import { createNonceStore } from '@trestle/core'
import { afterEach, describe, expect, test, vi } from 'vitest'
import { secret } from '../call.ts'
import { echoQuery, event, workflows } from '../fixture.ts'
import type { Mount } from '../mounts/mount.ts'
import { useSite } from '../site.ts'

const execute = { query: echoQuery, body: event }
const forced = 'SERVICE_STRICT_AUTHENTICATION_ENABLED'
const unset = undefined

afterEach(() => vi.unstubAllEnvs())

/** The accepted secrets: specification, "Bridge request signature", 4; protocol 3. */
export function secrets(mount: Mount): void {
  const newer = 'the newer key'
  const rows: readonly [
    title: string,
    option: unknown,
    environment: Record<string, string | undefined>,
    accepts: readonly string[],
    refuses: readonly string[],
  ][] = [
    ['the option', 'a', { SERVICE_SECRET_KEY: 'b', SERVICE_API_KEY: 'c' }, ['a'], ['b', 'c']],
    ['an empty option is skipped', '', { SERVICE_SECRET_KEY: 'b', SERVICE_API_KEY: 'c' }, ['b'], ['c']],
    ['an empty list is skipped', [], { SERVICE_SECRET_KEY: 'b' }, ['b'], []],
    ['a list of an empty text is skipped', [''], { SERVICE_SECRET_KEY: 'b' }, ['b'], []],
    ['no option', unset, { SERVICE_SECRET_KEY: 'b', SERVICE_API_KEY: 'c' }, ['b'], ['c']],
    ['an empty variable counts as absent', unset, { SERVICE_SECRET_KEY: '', SERVICE_API_KEY: 'c' }, ['c'], []],
    ['the second variable', unset, { SERVICE_SECRET_KEY: unset, SERVICE_API_KEY: 'c' }, ['c'], []],
    ['a list, while the key is being replaced', [newer, secret], {}, [newer, secret], ['other']],
    ['a list with an empty text in it', [newer, '', secret], {}, [newer, secret], []],
    ['three', ['1', '', '2', '3'], {}, ['1', '2', '3'], ['4']],
  ]
  describe.each(rows)('secret: %s', (_title, option, environment, accepts, refuses) => {
    const site = useSite(mount, { workflows, secretKey: option as string })
    const stub = (): void => {
      for (const [name, value] of Object.entries(environment)) vi.stubEnv(name, value)
    }
    test(`accepts ${accepts}, rejects ${refuses}`, async () => {
      stub()
      for (const key of accepts) expect((await site.call({ ...execute, key })).status).toBe(200)
      for (const key of refuses) expect((await site.call({ ...execute, key })).json.code).toBe('SignatureMismatchError')
    })
  })

  describe('no secret', () => {
    const site = useSite(mount, { workflows, secretKey: '' })
    test('bridges can be mounted, and signed calls get SigningKeyNotFoundError', async () => {
      const { status, json } = await site.call(execute)
      expect([status, json.code]).toEqual([401, 'SigningKeyNotFoundError'])
      expect(json.message).toMatch(/no secret key.*SERVICE_SECRET_KEY.*secretKey/)
      expect(site.warnings).toContainEqual(expect.stringMatching(/rejected with 401 SigningKeyNotFoundError/))
      expect((await site.call({ signature: null })).json).toEqual({ status: 'ok' })
    })
    test('the variable is read on each call', async () => {
      vi.stubEnv('SERVICE_SECRET_KEY', secret)
      expect((await site.call(execute)).status).toBe(200)
    })
  })
}

/** When calls must be signed: specification, 3; protocol 3. */
export function strictness(mount: Mount): void {
  const rows: [option: boolean | undefined, variable: string | undefined, name: string | undefined, strict: boolean][] =
    []
  for (const name of [unset, 'development', 'dev', 'production', 'test', 'staging', '', 'Development'])
    for (const variable of [unset, '', 'true', 'false', '1', 'TRUE'])
      for (const option of [unset, true, false]) {
        const byName = !['development', 'dev', unset].includes(name)
        rows.push([option, variable, name, variable === 'true' || (option ?? byName)])
      }

  describe('strict authentication', () => {
    const sites = {
      undefined: useSite(mount, { workflows }),
      true: useSite(mount, { workflows, strictAuthentication: true }),
      false: useSite(mount, { workflows, strictAuthentication: false }),
    }
    test.each(rows)('option %s, variable %j, NODE_ENV %j: %s', async (option, variable, name, strict) => {
      vi.stubEnv(forced, variable)
      vi.stubEnv('NODE_ENV', name)
      const { status } = await sites[`${option}`].call({ ...execute, signature: null })
      expect(status).toBe(strict ? 401 : 200)
    })
  })

  describe('warnings', () => {
    const site = useSite(mount, { workflows })
    test('are printed once for the first unverified call, with the reason and a fix', async () => {
      vi.stubEnv('NODE_ENV', 'development')
      for (let index = 0; index < 3; index++) await site.call({ ...execute, signature: null })
      expect(site.warnings).toHaveLength(1)
      expect(site.warnings[0]).toMatch(/NODE_ENV is "development".*SERVICE_STRICT_AUTHENTICATION_ENABLED=true/s)
    })
    test('name an invalid value of the variable', async () => {
      vi.stubEnv(forced, 'yes')
      await site.call(execute)
      expect(site.warnings).toEqual([expect.stringContaining('"yes"')])
    })
  })
}

/** Requirements for unsigned calls: protocol 3, "Unverified POSTs". */
export function unverified(mount: Mount): void {
  const json = 'application/json'
  const rows: readonly [title: string, headers: Record<string, string | null>, status: number][] = [
    ['plain', { 'content-type': json }, 200],
    ['with a charset', { 'content-type': 'application/json; charset=utf-8' }, 200],
    ['in capitals', { 'content-type': 'Application/JSON' }, 200],
    ['without content-type', { 'content-type': null }, 400],
    ['as text', { 'content-type': 'text/plain' }, 400],
    ['as text that looks like JSON', { 'content-type': 'text/plain; application/json' }, 400],
    ['as a form', { 'content-type': 'application/x-www-form-urlencoded' }, 400],
    ['as another JSON', { 'content-type': 'application/json-patch+json' }, 400],
    ['by a local page', { 'content-type': json, origin: 'http://localhost:3000', 'sec-fetch-site': 'same-site' }, 200],
    ['by a page of 127.0.0.1', { 'content-type': json, origin: 'http://127.0.0.1:3000' }, 200],
    ['by a page of another site', { 'content-type': json, origin: 'https://example.com' }, 400],
    ['by a page whose name looks local', { 'content-type': json, origin: 'https://localhost.example.com' }, 400],
    ['by a page without an origin', { 'content-type': json, origin: 'null' }, 400],
    ['across sites, without Origin', { 'content-type': json, 'sec-fetch-site': 'cross-site' }, 400],
    [
      'across sites, with a local Origin',
      { 'content-type': json, origin: 'http://localhost', 'sec-fetch-site': 'cross-site' },
      400,
    ],
    [
      'by a page that cors names',
      { 'content-type': json, origin: 'https://studio.example.com', 'sec-fetch-site': 'cross-site' },
      200,
    ],
  ]
  describe('unsigned calls', () => {
    const site = useSite(mount, { workflows, strictAuthentication: false, cors: ['https://studio.example.com'] })
    // A parser ignores bodies of other types, or converts them.
    test.each(rows)('%s', async (title, headers, status) => {
      const { status: answered, json: body } = await site.call({ ...execute, signature: null, headers })
      const front = mount.inFront[`unsigned, ${title}`]
      if (front) return expect(front.answers, front.reason).toContain(answered)
      expect(answered).toBe(status)
      if (status === 400) expect(body.code).toBe('RequestBodyInvalidError')
    })
    test('need neither a JSON content type nor a local origin for a GET', async () => {
      const answer = await site.call({
        query: { action: 'discover' },
        signature: null,
        headers: { origin: 'https://example.com' },
      })
      expect(answer.status).toBe(200)
    })
    test('are accepted even with a wrong signature', async () => {
      expect((await site.call({ ...execute, key: 'wrong' })).status).toBe(200)
    })
  })
}

/** The optional store of used signatures: protocol 3. */
export function nonces(mount: Mount): void {
  describe('nonce store', () => {
    const site = useSite(mount, { workflows, nonceStore: createNonceStore() })
    const broken = useSite(mount, { workflows, nonceStore: { claim: () => Promise.reject(new Error('store down')) } })

    test('rejects a replayed call', async () => {
      const nowMs = Date.now()
      expect((await site.call({ ...execute, nowMs })).status).toBe(200)
      const { status, json } = await site.call({ ...execute, nowMs })
      expect([status, json.code]).toEqual([401, 'SignatureExpiredError'])
      expect(json.message).toContain('already used')
      expect((await site.call({ ...execute, nowMs: nowMs + 1 })).status).toBe(200)
    })
    test('treats v1 in uppercase as the same signature', async () => {
      const { sign } = await import('@trestle/protocol')
      const header = await sign(secret, JSON.stringify(event), { nowMs: Date.now() + 500 })
      expect((await site.call({ ...execute, signature: header })).status).toBe(200)
      const capitals = header.replace(/v1=.*/, (v1) => `v1=${v1.slice(3).toUpperCase()}`)
      expect((await site.call({ ...execute, signature: capitals })).status).toBe(401)
    })
    test('accepts a replayed GET', async () => {
      const nowMs = Date.now()
      const call = { query: { action: 'discover' }, nowMs }
      expect((await site.call(call)).status).toBe(200)
      expect((await site.call(call)).status).toBe(200)
    })
    test('does not store the signature of a call that fails verification', async () => {
      const nowMs = Date.now() + 1000
      await site.call({ ...execute, nowMs, key: 'wrong' })
      expect((await site.call({ ...execute, nowMs })).status).toBe(200)
    })
    test('rejects all calls while the store fails, without revealing the reason to the caller', async () => {
      const { status, json } = await broken.call(execute)
      expect([status, json.code, json.data]).toEqual([503, 'NonceStoreUnavailableError', null])
      expect(json.message).not.toContain('store down')
      expect(broken.errors).toHaveLength(1)
    })
  })
}

/** Responses that browsers can read: protocol 4. */
export function cors(mount: Mount): void {
  describe('CORS', () => {
    const named = useSite(mount, { workflows, cors: ['https://studio.example.com'] })
    const open = useSite(mount, { workflows, cors: '*' })
    const from = (origin: string): { signature: null; headers: Record<string, string> } => ({
      signature: null,
      headers: { origin },
    })

    test('lets an allowed origin read responses, with the allowed headers', async () => {
      const { headers, status } = await named.call({ method: 'OPTIONS', ...from('https://studio.example.com') })
      expect(status).toBe(200)
      expect(headers['access-control-allow-origin']).toBe('https://studio.example.com')
      expect(headers['access-control-allow-methods']).toBe('GET, POST, OPTIONS')
      expect(headers['access-control-allow-headers']).toBe('content-type, service-signature')
      expect(headers['vary']).toMatch(/origin/i)
      expect(headers['access-control-max-age']).toBe('600')
      expect(headers).not.toHaveProperty('access-control-allow-private-network')
    })
    test('lets a page reach a bridge on a private network if the page requests that', async () => {
      const asking = { origin: 'https://studio.example.com', 'access-control-request-private-network': 'true' }
      const { headers } = await named.call({ method: 'OPTIONS', signature: null, headers: asking })
      expect(headers['access-control-allow-private-network']).toBe('true')
    })

    test('lets pages read failures', async () => {
      const call = { ...execute, ...from('https://studio.example.com') }
      const { headers, status } = await named.call(call)
      expect([status, headers['access-control-allow-origin']]).toEqual([401, 'https://studio.example.com'])
    })
    test.each(['https://example.com', 'https://studio.example.com.evil.example', 'null'])(
      'rejects %s',
      async (origin) => {
        const { headers } = await named.call({ method: 'OPTIONS', ...from(origin) })
        expect(headers).not.toHaveProperty('access-control-allow-origin')
      },
    )
    test("'*' allows every page", async () => {
      const { headers } = await open.call(from('https://example.com'))
      expect(headers['access-control-allow-origin']).toBe('https://example.com')
      expect(headers).not.toHaveProperty('access-control-allow-credentials')
    })
    test('sets no headers for a call without Origin', async () => {
      const { headers } = await open.call({ signature: null })
      expect(Object.keys(headers).filter((name) => name.startsWith('access-control-'))).toEqual([])
    })
  })
}
