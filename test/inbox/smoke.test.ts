import type { Browser } from 'playwright-core'
import { afterEach, expect, test } from 'vitest'
import type { InboxServer } from '../../packages/inbox/fixtures/inbox-server.ts'
import { startChromium } from '../browser/chromium.ts'
import { findViolations, keepPicture } from '../studio/visit.ts'
import { startPage } from './bell-page.ts'

let browser: Browser | undefined
let server: InboxServer | undefined
afterEach(async () => {
  await browser?.close()
  await server?.stop()
})

test('the bell opens a list that follows the service, under a strict content security policy', async (context) => {
  browser = await startChromium(context)
  server = await startPage()
  for (let index = 0; index < 60; index++) server.add()
  const page = await browser.newPage()
  const complaints: string[] = []
  page.on('console', (message) => message.type() === 'error' && complaints.push(message.text()))
  page.on('pageerror', (error) => complaints.push(String(error)))
  await page.goto(server.url)
  const bell = page.getByRole('button', { name: 'Notifications, 60 unread' })
  await bell.waitFor()
  expect(await findViolations(page)).toEqual([])
  await bell.focus()
  await page.keyboard.press('Enter')
  const dialog = page.getByRole('dialog', { name: 'Notifications' })
  await dialog.getByText('Message 60', { exact: true }).waitFor()
  expect(await findViolations(page)).toEqual([])
  await keepPicture(page, 'inbox')

  // A message that arrives while someone reads moves nothing.
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

  await dialog.getByRole('listitem').first().getByRole('button', { name: 'Mark as read', exact: true }).click()
  await page.getByRole('button', { name: 'Notifications, 60 unread' }).waitFor()
  await dialog.getByRole('button', { name: 'Preferences' }).click()
  await dialog.getByRole('group', { name: 'Order shipped' }).getByLabel('SMS').check()
  expect(await findViolations(page)).toEqual([])
  await page.keyboard.press('Escape')
  await expect.poll(() => dialog.count()).toBe(0)
  expect(await page.evaluate(() => document.activeElement?.className)).toBe('trestle-bell')
  expect(complaints).toEqual([])
})
