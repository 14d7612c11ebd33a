import fc from 'fast-check'
import { describe, expect, type TestContext, test } from 'vitest'
import { draws } from '../../../../test/scope.ts'
import { type Browser, createMovedClock, startPeopleService } from '../access/people.fixture.ts'
import type { ServiceOptions } from '../index.ts'
import type { StoreDriver } from '../store/store.ts'
import { drivers } from '../store/stores.fixture.ts'
import { toOwnPath } from './account-oidc.ts'
import { client, type Deviation, startFakeProvider } from './fake-provider.fixture.ts'

type Oidc = ServiceOptions['oidc']

async function start(context: TestContext, oidc: Oidc = {}, more: ServiceOptions & { driver?: StoreDriver } = {}) {
  const provider = await startFakeProvider()
  context.onTestFinished(() => provider.close())
  const { driver = 'sqlite', ...options } = more
  const settings = { issuer: provider.issuer, ...client, name: 'Example ID', ...oidc }
  const people = await startPeopleService(driver, context, { oidc: settings, ...options })
  /** Visits the provider, which redirects the browser back with a response. */
  const visit = async (browser: Browser, to = '/studio/runs') => {
    const begun = await browser.send('GET', `/studio/oidc/start?to=${encodeURIComponent(to)}`)
    const location = String(begun.headers['location'])
    if (!location.startsWith(provider.issuer)) return { begun, answer: location }
    const { headers } = await fetch(location, { redirect: 'manual' })
    const answer = headers.get('location') ?? ''
    return { begun, answer: answer.replace(people.url, '') }
  }
  const signIn = async (browser: Browser, to?: string) => {
    const { answer } = await visit(browser, to)
    const headers = { 'sec-fetch-site': 'cross-site', 'sec-fetch-mode': 'navigate', 'sec-fetch-dest': 'document' }
    return browser.send('GET', answer, undefined, headers)
  }
  return { ...people, provider, visit, signIn }
}

const inviteEve = (admin: Browser) =>
  admin.send('POST', '/v1/studio/people', { email: 'eve@example.com', role: 'viewer' })

describe.each(drivers)('signing in through the provider (%s)', (driver) => {
  test('signs in to the invited account with its role, and opens the requested page', async (context) => {
    const { createAdmin, browser, signIn, provider } = await start(context, {}, { driver })
    const admin = await createAdmin()
    await inviteEve(admin)
    const eve = browser()
    expect((await eve.send('GET', '/studio/session')).body).toMatchObject({ signIn: { provider: 'Example ID' } })
    const { status, headers } = await signIn(eve, '/studio/runs?status=failed')
    expect([status, headers['location']]).toEqual([302, '/studio/runs?status=failed'])
    const { body } = await eve.send('GET', '/studio/session')
    expect(body).toMatchObject({
      account: { email: 'eve@example.com', name: 'Eve' },
      environments: [{ role: 'viewer' }, {}],
    })
    const { data } = (await admin.send('GET', '/v1/studio/people')).body
    expect(data[0]).toMatchObject({ email: 'eve@example.com', status: 'active', signInWith: ['provider'] })
    // From then on, the provider's identifier decides, not the email.
    provider.deviation = { claims: { email: 'eve.new@example.com' } }
    expect((await signIn(browser())).headers['location']).toBe('/studio/runs')
    provider.deviation = { claims: { sub: 'person-2' } }
    expect((await signIn(browser())).headers['location']).toBe('/studio/?sign-in=other-identity')
    expect((await admin.send('GET', '/v1/studio/audit?scope=accounts')).body.data[0]).toMatchObject({
      operation: 'accounts.signInWithProvider',
      actor: { name: 'eve@example.com' },
    })
  })

  test('creates an account only for a configured domain, with the configured role', async (context) => {
    const { browser, signIn, provider, createAdmin } = await start(
      context,
      { domains: ['Example.com'], role: 'editor' },
      { driver },
    )
    const admin = await createAdmin()
    const attempts: readonly (readonly [Deviation['claims'], string])[] = [
      [{ email: 'eve@evil.example', sub: 'x' }, 'domain'],
      [{ email: 'eve@example.com.evil.example', sub: 'x' }, 'domain'],
      [{ email: 'eve@evil.example@example.com', sub: 'x' }, 'unverified'],
      [{ email_verified: false, sub: 'x' }, 'unverified'],
      [{ email_verified: undefined, sub: 'x' }, 'unverified'],
      [{ email: undefined, sub: 'x' }, 'unverified'],
    ]
    for (const [claims = {}, reason] of attempts) {
      provider.deviation = { claims }
      expect((await signIn(browser())).headers['location']).toBe(`/studio/?sign-in=${reason}`)
    }
    expect((await admin.send('GET', '/v1/studio/people')).body.data).toHaveLength(1)
    provider.deviation = {}
    const eve = browser()
    await signIn(eve)
    const { body } = await eve.send('GET', '/studio/session')
    expect(body.environments.map(({ role }: { role: string }) => role)).toEqual(['editor', 'editor'])
    const [{ id }] = (await admin.send('GET', '/v1/studio/people')).body.data
    await admin.send('PATCH', `/v1/studio/people/${id}`, { disabled: true })
    expect((await signIn(browser())).headers['location']).toBe('/studio/?sign-in=disabled')
  })
})

test('an unknown person is rejected if the settings have no role for them', async (context) => {
  const { browser, signIn, service } = await start(context)
  const eve = browser()
  const { headers } = await signIn(eve)
  expect([headers['location'], headers['set-cookie']]).toEqual(['/studio/?sign-in=uninvited', undefined])
  expect(await service.store.db.selectFrom('accountSessions').selectAll().execute()).toEqual([])
})

describe('a provider response grants no access', () => {
  const deviations: Readonly<Record<string, Deviation>> = {
    'with another state': { answer: { state: 'other' } },
    'of another issuer': { answer: { iss: 'https://evil.example' } },
    'without a code': { answer: { code: '' } },
    'with another code': { answer: { code: 'other' } },
    'with an error': { answer: { error: 'access_denied' } },
    'with another nonce': { claims: { nonce: 'other' } },
    'without a nonce': { claims: { nonce: undefined } },
    'with an ID token of another issuer': { claims: { iss: 'https://evil.example' } },
    'with an ID token for another client': { claims: { aud: 'other' } },
    'with an ID token that has expired': { claims: { exp: 1 } },
    'with an ID token that another key has signed': { wrongKey: true },
  }
  test.each(Object.keys(deviations))('%s', async (name) => {
    const ends: (() => unknown)[] = []
    const context = { onTestFinished: (end: () => unknown) => ends.push(end), skip: () => undefined } as never
    const { createAdmin, browser, signIn, provider, log } = await start(context)
    await inviteEve(await createAdmin())
    provider.deviation = deviations[name] ?? {}
    const eve = browser()
    const { status, headers } = await signIn(eve)
    expect([status, headers['location'], headers['set-cookie']]).toEqual([302, '/studio/?sign-in=failed', undefined])
    expect(log.join('')).toContain('a sign-in through the OpenID provider failed')
    for (const secret of [client.clientSecret, ...eve.cookies.values()]) expect(log.join('')).not.toContain(secret)
    provider.deviation = {}
    expect((await signIn(eve)).headers['location']).toBe('/studio/runs')
    for (const end of ends.reverse()) await end()
  })

  test('in a browser that did not start the sign-in, the second time, or too late', async (context) => {
    const { clock, pass } = createMovedClock()
    const { createAdmin, browser, visit, provider } = await start(context, {}, { clock })
    await inviteEve(await createAdmin())
    const [eve, attacker] = [browser(), browser()]
    const mine = await visit(attacker)
    // The attacker's authorization response in the victim's browser would sign the victim in as the attacker.
    expect((await eve.send('GET', mine.answer)).headers['location']).toBe('/studio/?sign-in=expired')
    await visit(eve)
    expect((await eve.send('GET', mine.answer)).headers['location']).toBe('/studio/?sign-in=failed')
    const { answer } = await visit(eve)
    expect((await eve.send('GET', answer)).headers['location']).toBe('/studio/runs')
    expect((await eve.send('GET', answer)).headers['location']).toBe('/studio/?sign-in=failed')
    const late = await visit(eve)
    pass(10 * 60_000 + 1)
    expect((await eve.send('GET', late.answer)).headers['location']).toBe('/studio/?sign-in=expired')
    expect(provider.tokenRequests.every((form) => (form.get('code_verifier') ?? '').length >= 43)).toBe(true)
  })

  test('when the provider is down, and the next attempt succeeds', async (context) => {
    const { createAdmin, browser, signIn, visit, provider } = await start(context)
    await inviteEve(await createAdmin())
    provider.deviation = { isDown: true }
    expect((await visit(browser())).answer).toBe('/studio/?sign-in=unreachable')
    provider.deviation = {}
    expect((await signIn(browser())).headers['location']).toBe('/studio/runs')
  })
})

test('the sign-in cookie is encrypted, short-lived, and sent when the provider redirects back', async (context) => {
  const { browser, visit } = await start(
    context,
    {},
    { accounts: { enabled: true, url: 'https://studio.example.com' } },
  )
  const { begun } = await visit(browser())
  expect(begun.headers['set-cookie']).toHaveLength(1)
  expect(String(begun.headers['set-cookie'])).toMatch(
    /^__Host-trestle_oidc=v2\.[\w-]+; Path=\/; Max-Age=600; HttpOnly; Secure; SameSite=Lax$/,
  )
  const query = new URL(String(begun.headers['location'])).searchParams
  expect(query.get('redirect_uri')).toBe('https://studio.example.com/studio/oidc/callback')
  for (const name of ['state', 'nonce']) expect(String(begun.headers['set-cookie'])).not.toContain(query.get(name))
})

describe('the page after the sign-in', () => {
  const url = 'https://studio.example.com'
  test.each([
    ['/studio/runs?a=b', '/studio/runs?a=b'],
    [`${url}/studio/runs`, '/studio/runs'],
    [null, '/studio/'],
    ['', '/studio/'],
    ['//evil.example/studio/', '/studio/'],
    ['/\\evil.example/studio/', '/studio/'],
    ['\\\\evil.example/studio/', '/studio/'],
    ['https://evil.example/studio/', '/studio/'],
    ['https:evil.example/studio/', '/studio/'],
    ['https://studio.example.com@evil.example/studio/', '/studio/'],
    ['javascript:alert(1)', '/studio/'],
    ['/studio/../../v1/x', '/studio/'],
    ['/studio/%2e%2e/v1', '/studio/'],
    ['/v1/environments', '/studio/'],
    ['/studio/\r\nset-cookie: a=b', '/studio/set-cookie:%20a=b'],
    ['/\t/evil.example/studio/', '/studio/'],
  ])('of %j is %s', (wanted, expected) => {
    expect(toOwnPath(wanted, url)).toBe(expected)
  })

  test('is always a page of the studio', () => {
    const part = fc.constantFrom(
      '/',
      '\\',
      '//',
      'studio/',
      '..',
      '@',
      ':',
      'https:',
      'evil.example',
      '\t',
      '%2f',
      '#',
      '?',
      '.',
    )
    const wanted = fc.array(fc.oneof(part, fc.string({ maxLength: 3 })), { maxLength: 8 })
    fc.assert(
      fc.property(wanted, (parts) => {
        const path = toOwnPath(parts.join(''), url)
        const read = new URL(path, url)
        expect([read.origin, read.pathname.startsWith('/studio/')]).toEqual([url, true])
        expect(path).toMatch(/^\/studio\/[\x21-\x7e]*$/)
      }),
      { numRuns: draws(2000, 50_000) },
    )
  })
})
