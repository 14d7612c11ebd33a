import { startService } from '@trestle/service'
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { setUpPages } from './set-up-pages.ts'
import type { Stage } from './stage.ts'
import { findViolations, keepPicture, type Look, phone, settle, type Visit } from './visit.ts'

// The studio of a service with accounts: the first admin, an invitation, roles, sessions, the audit log.

const secretKey = 'sk_0123456789abcdef0123456789abcdef'
const password = 'correct horse battery'
let stage: Stage
let firstAdminLink = ''
const openPage = setUpPages()

beforeAll(async () => {
  const service = await startService({
    ...{ port: 0, studio: true, accounts: { enabled: true }, databaseFile: ':memory:', logLevel: 'silent' },
    encryptionKey: Buffer.alloc(32, 7).toString('base64'),
    secretKeys: { Development: secretKey },
  })
  firstAdminLink = service.firstAdminLink ?? ''
  stage = { url: service.url, studioLink: () => '', stop: () => service.stop() } as Stage
})
afterAll(() => stage.stop())

/** Runs axe on a page, and saves a screenshot of it. */
async function check(page: Page, name: string): Promise<void> {
  await settle(page)
  expect([name, await findViolations(page)]).toEqual([name, []])
  await keepPicture(page, `accounts ${name}`)
}

/** The browser logs a rejected call even if the page expects it. */
const unexpected = ({ complaints }: Visit): readonly string[] =>
  complaints.filter((line) => !/status of (401|403|422)/.test(line))

async function signIn(visit: Visit, email: string, secret = password): Promise<void> {
  await visit.page.getByLabel('Email').fill(email)
  await visit.page.getByLabel('Password').fill(secret)
  await visit.page.getByRole('button', { name: 'Sign in' }).click()
}

test('people sign in with links and passwords, and see what their role allows', async () => {
  const admin = await openPage(stage)
  const { page, go } = admin
  await go('/runs')
  await page.getByRole('heading', { level: 1, name: 'Sign in' }).waitFor()
  await check(page, 'sign-in')
  await page.goto(firstAdminLink)
  await check(page, 'first admin')
  expect(page.url()).not.toContain('link=')
  await page.getByLabel('Email').fill('ada@example.com')
  await page.getByLabel('Name').fill('Ada Lovelace')
  await page.getByLabel('Password', { exact: true }).fill('short')
  await page.getByLabel('Password again').fill(password)
  await page.getByText('The passwords do not match').waitFor()
  await page.getByLabel('Password', { exact: true }).fill(password)
  await page.getByRole('button', { name: 'Create the account' }).click()
  await page.getByRole('heading', { level: 1, name: 'Overview' }).waitFor()

  await go('/people')
  await page.getByRole('button', { name: 'Invite' }).click()
  await page.getByLabel('Email').fill('eve@example.com')
  await page.getByLabel('Role in Production').selectOption('none')
  await check(page, 'invite')
  await page.getByRole('button', { name: 'Create the link' }).click()
  const link = (await page.locator('code').filter({ hasText: 'link=' }).textContent()) ?? ''
  await check(page, 'link')
  await page.getByRole('button', { name: 'Done' }).click()
  await page.getByRole('row', { name: /eve@example.com/ }).waitFor()
  await check(page, 'people')

  const eve = await openPage(stage, phone)
  await eve.page.goto(link)
  await check(eve.page, 'invitation on a phone')
  await eve.page.getByLabel('Password', { exact: true }).fill(password)
  await eve.page.getByLabel('Password again').fill(password)
  await eve.page.getByRole('button', { name: 'Create the account' }).click()
  await eve.page.getByRole('heading', { level: 1, name: 'Overview' }).waitFor()
  await eve.go('/topics')
  const create = eve.page.getByRole('button', { name: 'New topic' }).first()
  expect([await create.isDisabled(), await create.getAttribute('aria-description')]).toEqual([
    true,
    'Needs the role editor in this environment; yours is viewer',
  ])
  await check(eve.page, 'topics of a viewer')
  await eve.page.getByRole('button', { name: 'Menu' }).click()
  const menu = eve.page.getByRole('dialog', { name: 'Menu' })
  await menu.getByText('viewer in this environment').waitFor()
  expect(await eve.page.getByRole('link', { name: 'Audit log' }).count()).toBe(0)
  await keepPicture(eve.page, 'accounts menu on a phone')
  await menu.getByRole('link', { name: /Your account/ }).click()
  await eve.page.getByRole('heading', { level: 1, name: 'Your account' }).waitFor()
  await check(eve.page, 'account on a phone')

  await page.getByRole('button', { name: 'Change eve@example.com' }).click()
  await check(page, 'person')
  await page.getByRole('button', { name: 'Disable' }).click()
  await page
    .getByRole('row', { name: /eve@example.com/ })
    .getByText('disabled')
    .first()
    .waitFor()
  await eve.go('/topics')
  await eve.page.getByRole('heading', { level: 1, name: 'Sign in' }).waitFor()
  await signIn(eve, 'eve@example.com')
  await eve.page.getByText('The email address or password is wrong').waitFor()

  await go('/audit')
  await page.getByRole('row', { name: /studio.personUpdate/ }).waitFor()
  await check(page, 'audit log')
  await page.getByLabel('Operation').fill('studio.personInvite')
  await page.getByRole('button', { name: 'Filter' }).click()
  await expect.poll(() => page.getByRole('row').count()).toBe(2)
  expect([unexpected(admin), unexpected(eve)]).toEqual([[], []])
})

const looks: Readonly<Record<string, Look>> = { dark: { colorScheme: 'dark' }, 'on a phone': phone }

test.each(Object.entries(looks))('the pages fit %s', async (name, look) => {
  const visit = await openPage(stage, look)
  const { page, go } = visit
  await go('/people')
  await check(page, `sign-in ${name}`)
  await signIn(visit, 'ada@example.com')
  await page.getByRole('heading', { level: 1, name: 'People' }).waitFor()
  for (const [path, heading] of [
    ['/people', 'People'],
    ['/audit', 'Audit log'],
    ['/account', 'Your account'],
  ] as const) {
    await go(path)
    await page.getByRole('heading', { level: 1, name: heading }).waitFor()
    await page.getByRole('row').nth(1).waitFor()
    await check(page, `${heading} ${name}`)
    const { clientWidth, scrollWidth } = await page.evaluate(() => {
      const { clientWidth: inner, scrollWidth: whole } = document.documentElement
      return { clientWidth: inner, scrollWidth: whole }
    })
    expect(scrollWidth, heading).toBeLessThanOrEqual(clientWidth)
  }
})

test('a changed password ends the session, and the new password opens another', async () => {
  const visit = await openPage(stage)
  const { page, go } = visit
  await go('/account')
  await signIn(visit, 'ada@example.com')
  await page.getByLabel('Current password').fill(password)
  await page.getByLabel('New password').fill('another long passphrase')
  await page.getByRole('button', { name: 'Change the password' }).click()
  await page.getByRole('heading', { level: 1, name: 'Sign in' }).waitFor()
  await signIn(visit, 'ada@example.com', 'another long passphrase')
  await page.getByRole('heading', { level: 1, name: 'Your account' }).waitFor()
  await page.getByRole('button', { name: 'Sign out' }).click()
  await page.getByRole('heading', { level: 1, name: 'Sign in' }).waitFor()
  expect(unexpected(visit)).toEqual([])
})
