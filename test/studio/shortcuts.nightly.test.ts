import type { Route } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { setUpPages } from './set-up-pages.ts'
import { type Stage, startStage } from './stage.ts'
import { findViolations, keepPicture, phone } from './visit.ts'

const openPage = setUpPages()
let stage: Stage

beforeAll(async () => {
  stage = await startStage()
  const grace = { subscriberId: 'u-17', firstName: 'Grace', lastName: 'Hopper', email: 'grace.hopper@example.com' }
  await stage.call('POST', '/v2/subscribers', grace)
  await stage.call('POST', '/v2/topics', { key: 'on-call', name: 'On call' })
  for (const transactionId of ['order-4711', 'order-4712'])
    await stage.call('POST', '/v1/events/trigger', {
      name: 'sign-in-code',
      to: 'u-17',
      payload: { code: '123456' },
      transactionId,
    })
})
afterAll(() => stage.stop())

test.each([
  { typed: 'outb', item: 'Outbox', url: /\/outbox$/ },
  { typed: 'incident', item: /^Incident opened/, url: /\/workflows\/incident-opened$/ },
  { typed: 'hopper@ex', item: /^Grace Hopper/, url: /\/subscribers\/u-17$/ },
  { typed: 'on-ca', item: /^On call/, url: /\/topics\/on-call$/ },
  { typed: 'r-4712', item: /^sign-in-code for u-17/, url: /\/runs\/[0-9a-f]{24}$/ },
  { typed: 'SignatureMism', item: 'SignatureMismatchError', url: /\/errors\/SignatureMismatchError$/ },
])('the palette finds $item for $typed with the keyboard only', async ({ typed, item, url }) => {
  const { page, go, complaints } = await openPage(stage)
  await go('/topics')
  await page.keyboard.press('ControlOrMeta+k')
  const field = page.getByRole('combobox', { name: 'Search everything' })
  await field.waitFor()
  await page.keyboard.type(typed)
  await page
    .getByRole('option', { name: item, selected: false })
    .or(page.getByRole('option', { name: item }))
    .first()
    .waitFor()
  await keepPicture(page, `palette ${typed}`)
  expect(await findViolations(page)).toEqual([])
  await expect.poll(() => page.getByRole('option').count()).toBe(1)
  await page.keyboard.press('Enter')
  await page.waitForURL(url)
  expect(await field.count()).toBe(0)
  expect(complaints).toEqual([])
})

test('the palette opens on a phone, shows a message if nothing matches, and closes', async () => {
  const { page, go } = await openPage(stage, phone)
  await go('/')
  await page.getByRole('button', { name: 'Menu' }).click()
  await page.getByRole('button', { name: 'Search' }).click()
  await page.getByRole('combobox', { name: 'Search everything' }).fill('nothing is called so')
  await page.getByText('Nothing found').waitFor()
  await keepPicture(page, 'palette phone')
  expect(await findViolations(page)).toEqual([])
  await page.keyboard.press('Escape')
  await expect.poll(() => page.getByRole('combobox', { name: 'Search everything' }).count()).toBe(0)
})

test('j, k and arrow keys move through rows, and a slash focuses the search', async () => {
  const { page, go } = await openPage(stage)
  await go('/runs')
  await expect.poll(() => page.getByRole('table', { name: 'Runs' }).getByRole('row').count()).toBe(3)
  const links = page.locator('tbody tr td:first-child a')
  const isFocused = (index: number) => links.nth(index).evaluate((link) => link === document.activeElement)
  await page.keyboard.press('j')
  expect(await isFocused(0)).toBe(true)
  await page.keyboard.press('j')
  expect(await isFocused(1)).toBe(true)
  await page.keyboard.press('k')
  await page.keyboard.press('ArrowDown')
  expect(await isFocused(1)).toBe(true)
  await page.keyboard.press('/')
  await page.keyboard.type('jk?/')
  expect(await page.getByRole('searchbox', { name: 'Search runs' }).inputValue()).toBe('jk?/')
})

test('lists the shortcuts, and can disable single-key ones', async () => {
  const { page, go } = await openPage(stage)
  await go('/runs')
  await page.keyboard.press('?')
  const dialog = page.getByRole('dialog', { name: 'Keyboard shortcuts' })
  await dialog.getByText('Next row in a list').waitFor()
  await keepPicture(page, 'shortcuts')
  expect(await findViolations(page)).toEqual([])
  await dialog.getByRole('switch', { name: 'Single-key shortcuts' }).click()
  await page.keyboard.press('Escape')
  await expect.poll(() => dialog.count()).toBe(0)
  await page.keyboard.press('?')
  await page.keyboard.press('j')
  expect(await page.evaluate(() => document.activeElement?.closest('tbody') !== null)).toBe(false)
  await page.keyboard.press('ControlOrMeta+k')
  await page.getByRole('combobox', { name: 'Search everything' }).waitFor()
  expect(await dialog.count()).toBe(0)
})

test('draws a run on a time axis, with shortened waits and upcoming steps', async () => {
  const { page, go } = await openPage(stage)
  await stage.call('POST', '/v1/events/trigger', {
    name: 'order-shipped',
    to: { subscriberId: 'ada', email: 'ada@example.com' },
    payload: { orderId: 'A-1', carrier: 'post', trackingUrl: 'https://example.com/t', items: [] },
    transactionId: 'drawn',
  })
  await go('/runs?transactionId=drawn')
  await page.waitForURL(/\/runs\/[0-9a-f]{24}$/)
  const wait = page.getByRole('button', { name: /^wait Bridge call .*Waiting 1 h/ })
  await wait.waitFor()
  await page.getByRole('listitem').filter({ hasText: 'expected' }).getByText('email').waitFor()
  await keepPicture(page, 'waterfall')
  expect(await findViolations(page)).toEqual([])
  await wait.click()
  await page
    .getByRole('complementary', { name: 'Details of step wait' })
    .getByRole('tab', { name: 'Outcome' })
    .waitFor()
  await page.getByRole('button', { name: 'Skip the wait' }).click()
  await page.getByRole('button', { name: /^email .*Bridge call/ }).waitFor()
  expect(await page.getByText('expected').count()).toBe(0)
})

test.for([
  { name: 'stopped', fail: (route: Route) => route.abort() },
  // The page ends such a request itself.
  { name: 'silent', fail: () => undefined },
])('shows a $name service as unreachable until it responds', async ({ fail }) => {
  const { page, go } = await openPage(stage)
  await go('/runs')
  await page.route('**/v1/**', fail)
  await page.getByText('Service unreachable, retrying…').waitFor({ timeout: 5000 })
  expect(await page.getByText('Bridge connected').count()).toBe(0)
  await keepPicture(page, 'unreachable')
  expect(await findViolations(page)).toEqual([])
  await page.unroute('**/v1/**')
  await page.getByText('Bridge connected').waitFor()
  expect(await page.getByText('Service unreachable').count()).toBe(0)
})
