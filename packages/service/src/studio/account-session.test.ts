import { describe, expect, type TestContext, test } from 'vitest'
import { createMovedClock, password, startPeopleService, tokenOf } from '../access/people.fixture.ts'
import { drivers } from '../store/stores.fixture.ts'

const email = 'admin@example.com'
const https = { accounts: { enabled: true, url: 'https://studio.example.com' } } as const
const hourMs = 60 * 60_000

describe.each(drivers)('a session (%s)', (driver) => {
  test('is created with a password, and shows the environments with their roles', async (context) => {
    const { createAdmin, browser, service } = await startPeopleService(driver, context)
    await createAdmin()
    const ada = browser()
    expect(await ada.send('GET', '/studio/session')).toMatchObject({
      status: 401,
      body: { signIn: { provider: null } },
    })
    expect(await ada.signIn(` ${email.toUpperCase()} `)).toMatchObject({ status: 201 })
    const { status, body, text } = await ada.send('GET', '/studio/session')
    expect([status, body]).toMatchObject([
      200,
      { account: { email, name: 'Ada', managesPeople: true }, environments: [{ role: 'admin' }, { role: 'admin' }] },
    ])
    for (const secret of ada.cookies.values()) expect(text).not.toContain(secret)
    expect(await ada.send('GET', '/v1/environments/me')).toMatchObject({ status: 200 })
    expect(service.studioLink()).toBeUndefined()
  })

  test('is created at each sign-in, and replaces the previous one in the browser', async (context) => {
    const { createAdmin, browser, service } = await startPeopleService(driver, context)
    await createAdmin()
    const ada = browser()
    const name = `trestle_session_${new URL(service.url).port}`
    // Session fixation: an attacker has set the cookie, first to an unknown value, then to their own session.
    ada.cookies.set(name, 'chosen-by-somebody-else')
    await ada.signIn(email)
    const first = ada.cookies.get(name)
    expect(first).toMatch(/^[\w-]{43}$/)
    await ada.signIn(email)
    const other = browser()
    other.cookies.set(name, first ?? '')
    expect((await other.send('GET', '/studio/session')).status).toBe(401)
    expect((await ada.send('GET', '/studio/session')).status).toBe(200)
  })

  test('is stored as a hash only', async (context) => {
    const { createAdmin, service, log } = await startPeopleService(driver, context)
    const ada = await createAdmin()
    await ada.send('GET', '/studio/session')
    const { db } = service.store
    const tables = ['accounts', 'accountSessions', 'accountLinks', 'attempts', 'auditEntries'] as const
    const rows = await Promise.all(tables.map((table) => db.selectFrom(table).selectAll().execute()))
    const stored = JSON.stringify(rows) + log.join('')
    for (const secret of [...ada.cookies.values(), tokenOf(service.firstAdminLink ?? ''), password])
      expect(stored).not.toContain(secret)
    expect(stored).toContain('$argon2id$v=19$m=19456,t=2,p=1$')
  })

  test('ends after sign-out, after a period without use, and at its maximum age', async (context) => {
    const { clock, pass } = createMovedClock()
    const accounts = { enabled: true, sessionMs: 10 * hourMs, idleMs: 2 * hourMs }
    const { createAdmin, browser } = await startPeopleService(driver, context, { clock, accounts })
    const ada = await createAdmin()
    expect((await ada.send('DELETE', '/studio/session')).status).toBe(204)
    expect(ada.cookies.size).toBe(0)
    const isOpen = async (one: typeof ada) => (await one.send('GET', '/v1/environments/me')).status === 200
    await ada.signIn(email)
    pass(2 * hourMs)
    expect(await isOpen(ada)).toBe(false)
    const other = browser()
    await other.signIn(email)
    for (let hour = 1; hour < 10; hour += 1) {
      pass(hourMs)
      expect([hour, await isOpen(other)]).toEqual([hour, true])
    }
    pass(hourMs)
    expect(await isOpen(other)).toBe(false)
  })

  test('ends when the password changes, and when the account is disabled or deleted', async (context) => {
    const { createAdmin, invite, idOf, browser } = await startPeopleService(driver, context)
    const ada = await createAdmin()
    const eve = await invite(ada, 'eve@example.com', { role: 'viewer' })
    const phone = browser()
    await phone.signIn('eve@example.com')
    const statuses = () =>
      Promise.all([eve, phone].map(async (one) => (await one.send('GET', '/studio/session')).status))
    expect(await statuses()).toEqual([200, 200])
    const changed = { current: password, password: 'another long passphrase' }
    const wrong = await eve.send('POST', '/v1/studio/account/password', { ...changed, current: 'no' })
    expect([wrong.status, await statuses()]).toEqual([422, [200, 200]])
    expect((await eve.send('POST', '/v1/studio/account/password', changed)).status).toBe(204)
    expect(await statuses()).toEqual([401, 401])
    for (const one of [eve, phone]) await one.signIn('eve@example.com', changed.password)
    expect(await statuses()).toEqual([200, 200])
    const id = await idOf(ada, 'eve@example.com')
    await ada.send('PATCH', `/v1/studio/people/${id}`, { disabled: true })
    expect(await statuses()).toEqual([401, 401])
    expect((await eve.signIn('eve@example.com', changed.password)).status).toBe(401)
    await ada.send('PATCH', `/v1/studio/people/${id}`, { disabled: false })
    expect(await statuses()).toEqual([401, 401])
    for (const one of [eve, phone]) await one.signIn('eve@example.com', changed.password)
    expect((await ada.send('DELETE', `/v1/studio/people/${id}`)).status).toBe(204)
    expect(await statuses()).toEqual([401, 401])
  })

  test('can be listed and ended only by its own account', async (context) => {
    const { createAdmin, invite, browser } = await startPeopleService(driver, context)
    const ada = await createAdmin()
    const eve = await invite(ada, 'eve@example.com', { role: 'viewer' })
    const phone = browser()
    await phone.send(
      'POST',
      '/studio/session',
      { email, password },
      { 'user-agent': 'Phone', 'x-forwarded-for': '10.1.2.3' },
    )
    const { body } = await ada.send('GET', '/v1/studio/account/sessions')
    const other = body.data.find((one: { isCurrent: boolean }) => !one.isCurrent)
    expect(body.data).toHaveLength(2)
    expect(other).toMatchObject({ userAgent: 'Phone', address: '10.1.2.3' })
    expect((await eve.send('DELETE', `/v1/studio/account/sessions/${other.id}`)).status).toBe(404)
    expect((await phone.send('GET', '/studio/session')).status).toBe(200)
    expect((await ada.send('DELETE', `/v1/studio/account/sessions/${other.id}`)).status).toBe(204)
    expect((await phone.send('GET', '/studio/session')).status).toBe(401)
    await phone.signIn(email)
    expect((await ada.send('DELETE', '/v1/studio/account/sessions')).status).toBe(204)
    expect([
      (await phone.send('GET', '/studio/session')).status,
      (await ada.send('GET', '/studio/session')).status,
    ]).toEqual([401, 200])
  })
})

describe('cookies', () => {
  const get = async (context: TestContext, options = {}) => {
    const { createAdmin, browser, url } = await startPeopleService('sqlite', context, options)
    await createAdmin()
    const ada = browser()
    const session = await ada.signIn(email)
    const mark = await ada.send('GET', '/studio/session')
    const lines = [session, mark].map(({ headers }) => String(headers['set-cookie']))
    return { lines, url, ada }
  }

  test('are bound to the host, and inaccessible to scripts and other sites, over TLS', async (context) => {
    const { lines, ada } = await get(context, https)
    expect(lines[0]).toMatch(
      /^__Host-trestle_session=[\w-]{43}; Path=\/; Max-Age=604800; HttpOnly; Secure; SameSite=Strict$/,
    )
    expect(lines[1]).toMatch(
      /^__Host-trestle_browser=[\w.-]+; Path=\/; Max-Age=\d+; HttpOnly; Secure; SameSite=Strict$/,
    )
    expect((await ada.send('GET', '/studio/session')).headers['set-cookie']).toBeUndefined()
  })

  test('contain the port on a loopback address without TLS', async (context) => {
    const { lines, url } = await get(context)
    const { port } = new URL(url)
    expect(lines[0]).toMatch(
      new RegExp(`^trestle_session_${port}=[\\w-]{43}; Path=/; Max-Age=604800; HttpOnly; SameSite=Strict$`),
    )
  })

  test('do not work if they are duplicated, truncated or renamed', async (context) => {
    const { ada } = await get(context, https)
    const token = ada.cookies.get('__Host-trestle_session') ?? ''
    const name = '__Host-trestle_session'
    for (const cookie of [
      `${name}=${token}; ${name}=${token}`,
      `${name}=${token.slice(1)}`,
      `trestle_session=${token}`,
      `x${name}=${token}`,
    ])
      expect((await ada.send('GET', '/studio/session', undefined, { cookie })).status, cookie).toBe(401)
  })
})

describe('pages from other origins', () => {
  const evil = [
    { origin: 'https://evil.example.com', 'sec-fetch-site': 'same-site' },
    { origin: 'https://evil.example' },
    { origin: 'https://studio.example.com:8443' },
    { origin: 'http://studio.example.com' },
    { origin: 'null' },
    { origin: 'https://studio.example.com', 'sec-fetch-site': 'cross-site' },
    { origin: undefined, 'sec-fetch-site': 'cross-site' },
  ] as const

  test('cannot change anything with a person’s cookies', async (context) => {
    const { createAdmin, browser } = await startPeopleService('sqlite', context, https)
    const ada = await createAdmin()
    const lines = [
      ['POST', '/v2/subscribers', { subscriberId: 'x' }],
      ['DELETE', '/studio/session', undefined],
      ['POST', '/studio/session', { email, password }],
      ['PUT', '/studio/link', { token: 'x', password }],
      ['GET', '/studio/session', undefined],
      ['GET', '/v1/environments/me', undefined],
    ] as const
    for (const headers of evil)
      for (const [method, path, body] of lines) {
        const sent = Object.fromEntries(Object.entries(headers).filter(([, value]) => value !== undefined))
        const one = browser()
        for (const [name, value] of ada.cookies) one.cookies.set(name, value)
        const reply = await one.send(method, path, body, { origin: '', ...sent } as never)
        expect([path, headers, reply.status]).toEqual([path, headers, 403])
        expect(reply.headers['set-cookie']).toBeUndefined()
      }
    expect((await ada.send('GET', '/studio/session')).status).toBe(200)
  })

  test('cannot submit a form, because only JSON is accepted', async (context) => {
    const { createAdmin } = await startPeopleService('sqlite', context, https)
    const ada = await createAdmin()
    for (const type of ['text/plain', 'application/x-www-form-urlencoded', 'multipart/form-data; boundary=x'])
      expect(
        (await ada.send('POST', '/studio/session', JSON.stringify({ email, password }), { 'content-type': type }))
          .status,
      ).toBe(415)
  })
})
