import { describe, expect, test } from 'vitest'
import { createMovedClock, password, startPeopleService, tokenOf } from '../access/people.fixture.ts'
import { startService } from '../start/start-service.ts'
import { bothDrivers, createDatabase, drivers } from '../store/stores.fixture.ts'

const hourMs = 60 * 60_000

const lookUp = (link: string) => ['POST', '/studio/link', { token: tokenOf(link) }] as const

describe.each(bothDrivers)('a link (%s)', (driver) => {
  test('works once, even for concurrent callers', async (context) => {
    const { service, browser, createAdmin } = await startPeopleService(driver, context)
    const link = service.firstAdminLink ?? ''
    const names = ['a', 'b', 'c', 'd', 'e']
    const replies = await Promise.all(names.map((name) => browser().use(link, { email: `${name}@example.com` })))
    expect(replies.map(({ status }) => status).sort()).toEqual([200, 401, 401, 401, 401])
    expect(await service.store.db.selectFrom('accounts').select('status').execute()).toEqual([{ status: 'active' }])
    const admin = browser()
    for (const name of names) await admin.signIn(`${name}@example.com`)
    const { body } = await admin.send('POST', '/v1/studio/people', { email: 'eve@example.com', role: 'viewer' })
    const invited = await Promise.all(names.map(() => browser().use(body.data.url)))
    expect(invited.map(({ status }) => status).sort()).toEqual([200, 401, 401, 401, 401])
    await createAdmin()
    expect(await service.store.db.selectFrom('accounts').select('email').execute()).toHaveLength(2)
  })
})

describe.each(drivers)('the first admin (%s)', (driver) => {
  test('gets a new link on each start until an admin exists, and using a link invalidates the others', async (context) => {
    const { address } = await createDatabase(driver, context)
    const common = { ...address, port: 0, work: false, studio: true, logLevel: 'silent' } as const
    const encryptionKey = Buffer.alloc(32, 5).toString('base64')
    const start = () => startService({ ...common, encryptionKey, accounts: { enabled: true } })
    const [one, two] = [await start(), await start()]
    context.onTestFinished(() => Promise.all([one.stop(), two.stop()]).then(() => undefined))
    const links = [one, two].map(({ firstAdminLink = '' }) => firstAdminLink)
    expect(new Set(links).size).toBe(2)
    const use = async (link: string) => {
      const body = JSON.stringify({ token: tokenOf(link), email: 'ada@example.com', password })
      const headers = { 'content-type': 'application/json', origin: one.url }
      return (await fetch(`${one.url}/studio/link`, { method: 'PUT', headers, body })).status
    }
    expect(await use(links[0] ?? '')).toBe(200)
    expect(await use(links[1] ?? '')).toBe(401)
    const three = await start()
    context.onTestFinished(() => three.stop())
    expect(three.firstAdminLink).toBeUndefined()
  })
})

test('a link expires', async (context) => {
  const { clock, pass } = createMovedClock()
  const { service, browser, createAdmin } = await startPeopleService('sqlite', context, { clock })
  const link = service.firstAdminLink ?? ''
  expect(await browser().send(...lookUp(link))).toMatchObject({ status: 200, body: { purpose: 'first-admin' } })
  pass(hourMs)
  for (const reply of [await browser().send(...lookUp(link)), await browser().use(link, { email: 'a@example.com' })])
    expect(reply.status).toBe(401)
  pass(-hourMs)
  const admin = await createAdmin()
  const { body } = await admin.send('POST', '/v1/studio/people', { email: 'eve@example.com', role: 'viewer' })
  pass(7 * 24 * hourMs)
  expect((await browser().use(body.data.url)).status).toBe(401)
})

test('a link resets a password, ends all sessions, and is replaced by the next one', async (context) => {
  const { browser, createAdmin, invite, idOf } = await startPeopleService('sqlite', context)
  const admin = await createAdmin()
  const eve = await invite(admin, 'eve@example.com', { role: 'viewer' })
  const id = await idOf(admin, 'eve@example.com')
  const create = async () => (await admin.send('POST', `/v1/studio/people/${id}/link`)).body.data.url as string
  const [old, link] = [await create(), await create()]
  expect((await browser().use(old)).status).toBe(401)
  expect(await browser().send(...lookUp(link))).toMatchObject({
    body: { purpose: 'reset', email: 'eve@example.com' },
  })
  expect((await eve.send('GET', '/studio/session')).status).toBe(200)
  const phone = browser()
  expect((await phone.use(link, { password: 'another long passphrase' })).status).toBe(200)
  expect([
    (await eve.send('GET', '/studio/session')).status,
    (await phone.send('GET', '/studio/session')).status,
  ]).toEqual([401, 200])
  expect((await eve.signIn('eve@example.com')).status).toBe(401)
  await admin.send('PATCH', `/v1/studio/people/${id}`, { disabled: true })
  expect((await admin.send('POST', `/v1/studio/people/${id}/link`)).status).toBe(409)
})

test('a link of a disabled account grants no access', async (context) => {
  const { browser, createAdmin, service } = await startPeopleService('sqlite', context)
  const admin = await createAdmin()
  const { body } = await admin.send('POST', '/v1/studio/people', { email: 'eve@example.com', role: 'viewer' })
  const { url, person } = body.data
  const stored = await service.store.db.selectFrom('accountLinks').selectAll().execute()
  await admin.send('PATCH', `/v1/studio/people/${person.id}`, { disabled: true })
  await service.store.db
    .insertInto('accountLinks')
    .values(stored)
    .onConflict((on) => on.doNothing())
    .execute()
  expect((await browser().use(url)).status).toBe(401)
})

test.each([
  ['short', 'too short'],
  ['x'.repeat(201), 'too long'],
  ['aaaaaaaaaaaaaaaa', 'one character'],
  ['my EVE@example.com 1', 'the address'],
])('rejects the password %s (%s), and keeps the link valid', async (bad) => {
  const ends: (() => void)[] = []
  const context = { onTestFinished: (end: () => void) => ends.push(end), skip: () => undefined } as never
  const { service, browser } = await startPeopleService('sqlite', context)
  const link = service.firstAdminLink ?? ''
  const reply = await browser().use(link, { email: 'eve@example.com', password: bad })
  expect([reply.status, Object.keys(reply.body.errors)]).toEqual([422, ['password']])
  expect((await browser().use(link, { email: 'eve@example.com' })).status).toBe(200)
  for (const end of ends.reverse()) await end()
})

test('the last admin of all environments cannot be removed, and people cannot change their own role', async (context) => {
  const { createAdmin, invite, idOf, service } = await startPeopleService('sqlite', context)
  const ada = await createAdmin()
  const bob = await invite(ada, 'bob@example.com', { role: 'admin' })
  const [adaId, bobId] = [await idOf(ada, 'admin@example.com'), await idOf(ada, 'bob@example.com')]
  const change = (one: typeof ada, id: string, changes: object) => one.send('PATCH', `/v1/studio/people/${id}`, changes)
  expect((await change(ada, adaId, { role: 'viewer' })).status).toBe(409)
  expect((await ada.send('DELETE', `/v1/studio/people/${adaId}`)).status).toBe(409)
  // Two admins revoke each other's rights at the same time: one must remain an admin.
  const both = await Promise.all([change(ada, bobId, { role: 'viewer' }), change(bob, adaId, { disabled: true })])
  expect(both.filter(({ status }) => status === 200)).toHaveLength(1)
  const rows = await service.store.db.selectFrom('accounts').selectAll().execute()
  expect(rows.filter(({ role, status }) => role === 'admin' && status === 'active')).toHaveLength(1)
})
