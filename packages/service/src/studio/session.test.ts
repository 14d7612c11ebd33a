import { describe, expect, type TestContext, test } from 'vitest'
import { type ServiceOptions, SettingsError } from '../index.ts'
import { operations } from '../operations/operations.ts'
import { startTestService, testKeys } from '../start/service.fixture.ts'
import { drivers } from '../store/stores.fixture.ts'

interface Opened {
  readonly session: string
  readonly openedBy: string
  readonly environments: readonly { readonly id: string; readonly name: string }[]
}

/** The headers that a browser sends with a session. */
type Headers = Readonly<Record<string, string>>

async function start(context: TestContext, options: ServiceOptions & { driver?: 'sqlite' | 'postgres' } = {}) {
  const { driver = 'sqlite', ...rest } = options
  const log: string[] = []
  const write = (line: string) => void log.push(line)
  const { service, call } = await startTestService(driver, context, {
    studio: true,
    work: false,
    logLevel: 'trace',
    log: { write },
    ...rest,
  })
  const url = service.url
  const newToken = (): string =>
    new URLSearchParams(new URL(service.studioLink() ?? '').hash.slice(1)).get('token') ?? ''
  const post = (body: string, headers: Headers) => fetch(`${url}/studio/session`, { method: 'POST', body, headers })
  const openBy = async (response: Response) => {
    const opened = (await response.json()) as Opened
    const setCookie = response.headers.get('set-cookie') ?? ''
    const cookie = setCookie.split(';', 1)[0] ?? ''
    const [first] = opened.environments
    const headers = { cookie, 'studio-session': opened.session, 'studio-environment': first?.id ?? '' }
    return { opened, setCookie, headers, status: response.status }
  }
  const redeem = (token: string) => post(JSON.stringify({ token }), { 'content-type': 'application/json' })
  const get = async (path: string, headers: Headers, method = 'GET') => {
    const response = await fetch(url + path, { method, headers })
    return { status: response.status, text: await response.text() }
  }
  return {
    ...{ url, log, call, service, newToken, post, redeem, get },
    openByLink: async () => openBy(await redeem(newToken())),
    openByKey: async (key: string) => openBy(await post('', { authorization: `ApiKey ${key}` })),
  }
}

test.for(drivers)('a link opens one session in the first environment, without a key (%s)', async (driver, context) => {
  const { openByLink, get, log, newToken, redeem } = await start(context, { driver })
  const { opened, setCookie, headers, status } = await openByLink()
  expect(status).toBe(201)
  expect(setCookie).toMatch(/^trestle_studio_\d+=[\w-]{43}; Path=\/; HttpOnly; SameSite=Strict$/)
  expect(opened).toEqual({
    session: expect.stringMatching(/^[\w-]{43}$/),
    openedBy: 'link',
    environments: [
      { id: expect.any(String), name: 'Development', applicationIdentifier: expect.any(String), bridgeUrl: null },
    ],
    bridgeUrl: null,
  })
  const response = await get('/studio/session', headers)
  expect(response.status).toBe(200)
  expect(JSON.parse(response.text)).toMatchObject({ environments: [{ name: 'Development' }] })
  const current = await get('/v1/environments/me', headers)
  expect(JSON.parse(current.text)).toMatchObject({ data: { name: 'Development' } })
  const token = newToken()
  expect((await redeem(token)).status).toBe(201)
  expect((await redeem(token)).status).toBe(401)
  for (const secret of [token, opened.session, ...Object.values(testKeys)]) {
    expect(log.join('')).not.toContain(secret)
    if (secret !== opened.session) expect(JSON.stringify(opened) + response.text).not.toContain(secret)
  }
})

test('the cookie and the header of a session do not work without each other', async (context) => {
  const { openByLink, get, url } = await start(context)
  const { headers } = await openByLink()
  const other = await openByLink()
  const { cookie, ...half } = headers
  const wrong: readonly Headers[] = [
    half,
    { cookie },
    { ...headers, 'studio-session': other.headers['studio-session'] },
    { ...headers, cookie: other.headers.cookie },
    { ...headers, 'studio-session': '' },
    { ...headers, cookie: cookie.slice(0, -1) },
    { ...headers, cookie: cookie.replace(/^trestle_studio_\d+/, 'trestle_studio_1') },
    { ...headers, cookie: `x=${cookie}` },
  ]
  for (const sent of wrong)
    for (const path of ['/v1/environments/me', '/studio/session'])
      expect((await get(path, sent)).status, `${path} ${JSON.stringify(sent)}`).toBe(401)
  // Another port on the host may have set a cookie with the same name.
  const twice = { ...headers, cookie: `${cookie.split('=')[0]}=other; a=b; ${cookie}` }
  expect((await get('/v1/environments/me', twice)).status).toBe(200)
  for (const origin of ['http://127.0.0.1:1', 'https://evil.example', 'null'])
    expect((await get('/v1/environments/me', { ...headers, origin })).status, origin).toBe(403)
  for (const site of ['same-site', 'cross-site'])
    expect((await get('/v1/environments/me', { ...headers, 'sec-fetch-site': site })).status, site).toBe(403)
  expect((await get('/v1/environments/me', { ...headers, origin: url })).status).toBe(200)
})

test('a session cannot leave its environments', async (context) => {
  const { openByLink, openByKey, get } = await start(context)
  const [{ headers }, production] = [await openByLink(), await openByKey(testKeys.Production)]
  expect(production.opened).toMatchObject({ openedBy: 'key', environments: [{ name: 'Production' }] })
  for (const [own, foreign] of [
    [headers, production.headers],
    [production.headers, headers],
  ] as const) {
    const sent = { ...own, 'studio-environment': foreign['studio-environment'] }
    expect((await get('/v1/environments/me', sent)).status).toBe(403)
  }
  expect((await get('/v1/environments/me', { ...headers, 'studio-environment': '' })).status).toBe(403)
})

test('a link covers the configured environments', async (context) => {
  const { openByLink, get } = await start(context, { studioEnvironments: ['Development', 'Production'] })
  const { opened, headers } = await openByLink()
  expect(opened.environments.map(({ name }) => name)).toEqual(['Development', 'Production'])
  for (const { id, name } of opened.environments) {
    const { text } = await get('/v1/environments/me', { ...headers, 'studio-environment': id })
    expect(JSON.parse(text)).toMatchObject({ data: { name } })
  }
  await expect(start(context, { studioEnvironments: ['Staging'] })).rejects.toThrow(SettingsError)
})

test('a session opened by a key ends with the key; a session opened by a link does not', async (context) => {
  const { openByLink, openByKey, get, call } = await start(context)
  const [byLink, byKey] = [await openByLink(), await openByKey(testKeys.Development)]
  for (const { headers } of [byLink, byKey]) expect((await get('/v1/environments/me', headers)).status).toBe(200)
  await call('POST /v1/environments/api-keys/regenerate')
  expect((await get('/v1/environments/me', byLink.headers)).status).toBe(200)
  for (const path of ['/v1/environments/me', '/studio/session'])
    expect((await get(path, byKey.headers)).status).toBe(401)
})

test('a session ends when its user signs out, and after a week without use', async (context) => {
  let nowMs = Date.now()
  const clock = { now: () => nowMs, sleep: () => new Promise<void>(() => undefined) }
  const { openByLink, get } = await start(context, { clock })
  const { headers } = await openByLink()
  expect((await get('/studio/session', headers, 'DELETE')).status).toBe(204)
  expect((await get('/v1/environments/me', headers)).status).toBe(401)
  const other = await openByLink()
  const dayMs = 24 * 60 * 60 * 1000
  for (const days of [6, 6]) {
    nowMs += days * dayMs
    expect((await get('/v1/environments/me', other.headers)).status).toBe(200)
  }
  nowMs += 8 * dayMs
  expect((await get('/v1/environments/me', other.headers)).status).toBe(401)
})

describe('secrets', () => {
  test('are never revealed to a session by any operation', async (context) => {
    const { openByLink, url } = await start(context)
    const { headers } = await openByLink()
    const revealing = operations.filter(({ hideSecret }) => hideSecret !== undefined)
    for (const { method, path, name } of revealing) {
      const body = JSON.stringify({ name: 'Staging' })
      const sent = { ...headers, 'content-type': 'application/json' }
      const response = await fetch(url + path, { method, headers: sent, body })
      expect([name, response.status]).toEqual([name, 403])
    }
  })
})

test.each([
  ['{"token":"x"}', { 'content-type': 'application/json' }, 401],
  ['{"token":7}', { 'content-type': 'application/json' }, 401],
  ['null', { 'content-type': 'application/json' }, 401],
  ['{', { 'content-type': 'application/json' }, 400],
  // A web page can send these to any origin without a preflight.
  ['{"token":"x"}', { 'content-type': 'text/plain' }, 415],
  ['token=x', { 'content-type': 'application/x-www-form-urlencoded' }, 415],
  ['x'.repeat(2000), { 'content-type': 'application/json' }, 413],
  ['', { authorization: 'ApiKey sk_wrong_key_0123456789' }, 401],
  ['', { authorization: 'Bearer x' }, 401],
])('rejects opening a session with %s', async (body, headers, status) => {
  const ends: (() => void)[] = []
  const context = { onTestFinished: (end: () => void) => ends.push(end), skip: () => undefined } as never
  const { post } = await start(context)
  const response = await post(body, headers as never)
  expect([response.status, response.headers.get('set-cookie')]).toEqual([status, null])
  for (const end of ends.reverse()) await end()
})
