import type { Browser, Page } from 'playwright-core'
import { afterEach, expect, test } from 'vitest'
import {
  applicationIdentifier,
  type InboxServer,
  startInboxServer,
} from '../../packages/inbox/fixtures/inbox-server.ts'
import { startChromium } from '../browser/chromium.ts'
import { findViolations, keepPicture } from '../studio/visit.ts'
import { createPage } from './pages.ts'

let browser: Browser | undefined
let server: InboxServer | undefined
afterEach(async () => {
  await browser?.close()
  await server?.stop()
})

const options = { applicationIdentifier, subscriber: 'ada' }

/** Opens a page, and returns the browser's errors. */
async function openPage(browser: Browser, url: string): Promise<{ page: Page; complaints: string[] }> {
  const page = await browser.newPage()
  page.setDefaultTimeout(15_000)
  const complaints: string[] = []
  page.on('console', (message) => message.type() === 'error' && complaints.push(message.text()))
  page.on('pageerror', (error) => complaints.push(String(error)))
  await page.goto(url)
  return { page, complaints }
}

test('the bell opens a list that is updated live, under a strict content security policy', async (context) => {
  browser = await startChromium(context)
  server = await startInboxServer(await createPage({ options }))
  for (let index = 0; index < 60; index++) server.add()
  const { page, complaints } = await openPage(browser, server.url)
  const bell = page.getByRole('button', { name: 'Notifications, 60 unread' })
  await bell.waitFor()
  expect(await findViolations(page)).toEqual([])
  await bell.focus()
  await page.keyboard.press('Enter')
  const dialog = page.getByRole('dialog', { name: 'Notifications' })
  await dialog.getByText('Message 60', { exact: true }).waitFor()
  expect(await findViolations(page)).toEqual([])
  await keepPicture(page, 'inbox')

  // A message that arrives while someone reads does not move the list.
  const list = dialog.locator('.trestle-scroll')
  await list.evaluate((element) => element.scrollTo({ top: 1100 }))
  await expect.poll(() => dialog.getByRole('listitem').count()).toBeGreaterThan(20)
  const topOf = () =>
    dialog.getByText('Message 46', { exact: true }).evaluate((element) => element.getBoundingClientRect().top)
  const before = await topOf()
  server.add()
  await dialog.getByRole('button', { name: '1 new' }).waitFor()
  expect(await topOf()).toBe(before)
  expect(await dialog.getByRole('status').textContent()).toBe('New notification: Message 61')
  await dialog.getByRole('button', { name: '1 new' }).click()
  await dialog.getByText('Message 61', { exact: true }).waitFor()

  const first = dialog.getByRole('listitem').first()
  await first.getByRole('button', { name: 'Mark as read', exact: true }).click()
  await page.getByRole('button', { name: 'Notifications, 60 unread' }).waitFor()

  // A change that the service rejects is reverted and reported, and can be retried.
  server.fail('/archive')
  await first.getByRole('button', { name: 'Archive', exact: true }).click()
  await dialog.getByRole('alert').getByText('Your change was not saved.').waitFor()
  await first.getByText('Message 61', { exact: true }).waitFor()
  expect(await findViolations(page)).toEqual([])
  server.fail()
  await dialog.getByRole('button', { name: 'Try again' }).click()
  await first.getByText('Message 60', { exact: true }).waitFor()
  expect(await dialog.getByRole('alert').isVisible()).toBe(false)

  await first.getByRole('button', { name: 'Actions for Message 60' }).click()
  await page.keyboard.press('ArrowUp')
  expect(await findViolations(page)).toEqual([])
  await page.keyboard.press('Enter')
  await first.getByText('Message 59', { exact: true }).waitFor()
  // The list changes before the service responds.
  const { requests } = server
  await expect.poll(() => requests.filter((request) => request.startsWith('DELETE')).length).toBe(1)

  await dialog.getByRole('button', { name: 'Preferences' }).click()
  await dialog.getByRole('group', { name: 'Order shipped' }).getByRole('switch', { name: 'SMS' }).click()
  expect(await findViolations(page)).toEqual([])
  await page.keyboard.press('Escape')
  await expect.poll(() => dialog.count()).toBe(0)
  expect(await page.evaluate(() => document.activeElement?.className)).toContain('trestle-bell')
  expect(complaints.filter((text) => !text.includes('400 (Bad Request)'))).toEqual([])
})

test('the element does the same without React', async (context) => {
  browser = await startChromium(context)
  server = await startInboxServer(await createPage({ kind: 'element', options }))
  server.add()
  server.add()
  const { page, complaints } = await openPage(browser, server.url)
  await page.getByRole('button', { name: 'Notifications, 2 unread' }).click()
  const dialog = page.getByRole('dialog', { name: 'Notifications' })
  await dialog.getByText('Message 2', { exact: true }).waitFor()
  expect(await dialog.evaluate((element) => getComputedStyle(element).borderRadius)).toBe('12px')
  expect(await findViolations(page)).toEqual([])
  await dialog.getByRole('button', { name: 'Actions for Message 2' }).click()
  await page.getByRole('menuitem', { name: 'Tomorrow' }).click()
  await page.getByRole('button', { name: 'Notifications, 1 unread' }).waitFor()
  server.add()
  await dialog.getByRole('button', { name: '1 new' }).click()
  await dialog.getByText('Message 3', { exact: true }).waitFor()
  expect(server.requests.filter((line) => line.endsWith('/snooze'))).toHaveLength(1)
  expect(complaints).toEqual([])
})
