import { describe, expect, test, vi } from 'vitest'
import { type Browser, createMovedClock, startPeopleService } from '../../access/people.fixture.ts'
import { drivers } from '../../store/stores.fixture.ts'
import { createPasswords } from './passwords.ts'
import { createAccountSessions } from './sessions.ts'
import { checkSignIn } from './sign-in.ts'

const email = 'admin@example.com'

const from = (browser: Browser, address: string, secret: string, to = email) =>
  browser.send('POST', '/studio/session', { email: to, password: secret }, { 'x-forwarded-for': address })

describe.each(drivers)('attempts to sign in (%s)', (driver) => {
  test('are limited per account, but a browser that its owner has used before is not locked out', async (context) => {
    const { clock, pass } = createMovedClock()
    const { createAdmin, browser } = await startPeopleService(driver, context, { clock })
    const ada = await createAdmin()
    await ada.send('GET', '/studio/session')
    const guess = async (index: number) => (await from(browser(), `10.0.0.${index}`, `guess ${index}`)).status
    const statuses = await Promise.all(Array.from({ length: 30 }, (_, index) => guess(index)))
    expect(statuses.filter((status) => status === 401)).toHaveLength(10)
    expect(statuses.filter((status) => status === 429)).toHaveLength(20)
    const { headers, status } = await from(browser(), '10.0.1.1', 'correct horse battery')
    expect([status, headers['retry-after']]).toEqual([429, '30'])
    expect((await from(ada, '10.0.1.1', 'correct horse battery')).status).toBe(201)
    pass(30_000)
    expect((await from(browser(), '10.0.1.1', 'correct horse battery')).status).toBe(201)
  })

  test('are limited per address across accounts, and other addresses are not affected', async (context) => {
    const { clock } = createMovedClock()
    const { createAdmin, browser } = await startPeopleService(driver, context, { clock })
    await createAdmin()
    const guess = async (index: number, address: string) =>
      (await from(browser(), address, 'guess', `nobody-${index}@example.com`)).status
    // An IPv6 network counts as one address.
    const addresses = Array.from({ length: 40 }, (_, index) => `2001:db8:0:1::${(index + 1).toString(16)}`)
    const statuses = await Promise.all(addresses.map((address, index) => guess(index, address)))
    expect(statuses.filter((status) => status === 429)).toHaveLength(10)
    expect(await guess(99, '2001:db8:0:2::1')).toBe(401)
    expect((await from(browser(), '192.0.2.1', 'correct horse battery')).status).toBe(201)
  })
})

test('the caller’s address is the one that trusted proxies add, not the one the caller sends', async (context) => {
  const { createAdmin, browser } = await startPeopleService('sqlite', context, { trustedProxies: [] })
  await createAdmin()
  const guess = async (index: number) =>
    (await from(browser(), `10.0.0.${index}`, 'guess', `nobody-${index}@example.com`)).status
  const statuses = await Promise.all(Array.from({ length: 40 }, (_, index) => guess(index)))
  expect(statuses.filter((status) => status === 429).length).toBeGreaterThan(5)
})

test('an unknown address, a wrong password and a disabled account get the same response', async (context) => {
  const { createAdmin, invite, idOf, browser } = await startPeopleService('sqlite', context)
  const ada = await createAdmin()
  await invite(ada, 'eve@example.com', { role: 'viewer' })
  await ada.send('PATCH', `/v1/studio/people/${await idOf(ada, 'eve@example.com')}`, { disabled: true })
  await ada.send('POST', '/v1/studio/people', { email: 'new@example.com', role: 'viewer' })
  const replies = await Promise.all([
    browser().signIn(email, 'wrong'),
    browser().signIn('nobody@example.com'),
    browser().signIn('eve@example.com'),
    browser().signIn('new@example.com'),
  ])
  const texts = replies.map(({ status, text }) => [status, text.replace(/"timestamp":"[^"]*"/, '')])
  expect(new Set(texts.map((one) => JSON.stringify(one))).size).toBe(1)
  expect(texts[0]?.[0]).toBe(401)
})

test.for(drivers)('no session is opened with a password that has been changed (%s)', async (driver, context) => {
  const { createAdmin, service } = await startPeopleService(driver, context)
  await createAdmin()
  const { db } = service.store
  const { id, passwordHash } = await db.selectFrom('accounts').select(['id', 'passwordHash']).executeTakeFirstOrThrow()
  const limits = { sessionMs: 60_000, idleMs: 60_000 }
  const sessions = createAccountSessions(service.store, limits, Date.now)
  const visitor = { address: undefined, userAgent: undefined }
  const open = () => sessions.open({ accountId: id, passwordHash: String(passwordHash) }, visitor)
  expect(await open()).toBeTypeOf('string')
  await db.updateTable('accounts').set({ passwordHash: 'changed' }).where('id', '=', id).execute()
  expect(await open()).toBeUndefined()
  expect(await sessions.open({ accountId: id }, visitor)).toBeTypeOf('string')
  await db.updateTable('accounts').set({ status: 'disabled' }).where('id', '=', id).execute()
  expect(await sessions.open({ accountId: id }, visitor)).toBeUndefined()
})

test('the same work is done whether or not the account exists', async (context) => {
  const { createAdmin, service } = await startPeopleService('sqlite', context)
  await createAdmin()
  const passwords = await createPasswords()
  const verify = vi.spyOn(passwords, 'verify')
  const attempts = { take: async () => undefined, giveBack: async () => undefined }
  const vault = {} as never
  const ports = { db: service.store.db, vault, passwords, attempts }
  // The hashing threads are part of the process, so their time is included.
  const measure = async (to: string): Promise<number> => {
    const before = process.cpuUsage()
    const attempt = { email: to, password: 'wrong', address: '', browserMark: undefined }
    await expect(checkSignIn(ports, attempt)).rejects.toMatchObject({ status: 401 })
    const { user, system } = process.cpuUsage(before)
    // Linux measures only the sum, and estimates the parts.
    return user + system
  }
  const least = async (to: string) => Math.min(...[await measure(to), await measure(to), await measure(to)])
  const [knownEmailTime, unknownEmailTime] = [await least(email), await least('nobody@example.com')]
  expect(verify).toHaveBeenCalledTimes(6)
  // Without a hash to verify, a hundredth of the processor time would be used.
  expect(unknownEmailTime).toBeGreaterThan(knownEmailTime / 3)
  expect(unknownEmailTime).toBeLessThan(knownEmailTime * 3)
})

test('passwords are hashed a few at a time, without blocking the process, in a bounded queue', async () => {
  const passwords = await createPasswords()
  let turns = 0
  const count = setInterval(() => turns++, 1)
  const results = await Promise.allSettled(Array.from({ length: 60 }, () => passwords.verify(null, 'x')))
  clearInterval(count)
  expect(results.filter(({ status }) => status === 'fulfilled')).toHaveLength(52)
  expect(results.filter((one) => one.status === 'rejected' && one.reason.status === 503)).toHaveLength(8)
  expect(turns).toBeGreaterThan(20)
  const hash = await passwords.hash('pässword')
  expect(await passwords.verify(hash, 'pa\u0308ssword')).toBe(true)
  expect(await passwords.verify(hash, 'password')).toBe(false)
})
