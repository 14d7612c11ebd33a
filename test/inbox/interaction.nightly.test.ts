import { createInbox, type InboxSchedule } from '@trestle/inbox'
import type { Browser, Page } from 'playwright-core'
import { afterAll, describe, expect, type TestContext, test } from 'vitest'
import {
  applicationIdentifier,
  type InboxServer,
  startInboxServer,
} from '../../packages/inbox/fixtures/inbox-server.ts'
import { startChromium } from '../browser/chromium.ts'
import { createPage, kinds } from './pages.ts'

// Lists and preferences that are part of a page, not of a dialog.

let browser: Browser | undefined
afterAll(async () => browser?.close())

const options = { applicationIdentifier, subscriber: 'ada' }

const reactScript = `
import { createElement } from 'react'
import { createRoot } from 'react-dom/client'
import { InboxProvider, Notifications, Preferences } from '@trestle/inbox/react'
const options = { url: location.origin, ...JSON.parse(document.body.dataset.options) }
createRoot(document.getElementById('app'))
  .render(createElement(InboxProvider, options, createElement(Notifications), createElement(Preferences)))
`

/** Opens a page with a list of three messages. */
async function openPage(
  kind: (typeof kinds)[number],
  context: TestContext,
  prepare: (server: InboxServer, page: Page) => Promise<void> = async () => undefined,
): Promise<[Page, InboxServer]> {
  const server = await startInboxServer(await createPage({ kind, options, script: reactScript }))
  context.onTestFinished(() => server.stop())
  for (let index = 0; index < 3; index++) server.add()
  browser ??= await startChromium(context)
  const page = await browser.newPage()
  context.onTestFinished(() => page.close())
  page.setDefaultTimeout(15_000)
  await prepare(server, page)
  await page.goto(server.url)
  if (kind === 'element')
    await page.evaluate(() => {
      const settings = { url: location.origin, ...JSON.parse(document.body.dataset['options'] ?? '') }
      document.querySelector('main')?.append(Object.assign(document.createElement('trestle-notifications'), settings))
    })
  await row(page, 3).waitFor()
  return [page, server]
}

/** Saves a schedule as another device would. */
async function saveSchedule(
  { url }: InboxServer,
  weeklySchedule: NonNullable<InboxSchedule['weeklySchedule']>,
): Promise<void> {
  const inbox = createInbox({ ...options, url })
  await inbox.preferences.updateSchedule({ isEnabled: true, weeklySchedule })
  inbox.close()
}

const row = (page: Page, number: number) => page.getByText(`Message ${number}`, { exact: true })

/** Returns the title of the focused message, or the text of the focused element. */
const focused = (page: Page) =>
  page.evaluate(() => {
    let element = document.activeElement
    while (element?.shadowRoot?.activeElement) element = element.shadowRoot.activeElement
    if (element === document.body) return 'the page'
    return (element?.querySelector('.trestle-subject') ?? element)?.textContent
  })

describe.each(kinds)('%s', (kind) => {
  test('focuses the next message if the focused one is removed', async (context) => {
    const [page, server] = await openPage(kind, context)
    await row(page, 2).click()
    expect(await focused(page)).toBe('Message 2')
    server.change('00000002', { isArchived: true })
    await expect.poll(() => focused(page)).toBe('Message 1')
  })

  test('leaves focus in the page if a message is removed that had it before', async (context) => {
    const [page, server] = await openPage(kind, context)
    await row(page, 2).click()
    await page.getByRole('button', { name: 'Elsewhere' }).focus()
    server.change('00000002', { isArchived: true })
    await expect.poll(() => row(page, 2).count()).toBe(0)
    expect(await focused(page)).toBe('Elsewhere')

    await row(page, 3).click()
    await page.getByRole('heading', { name: 'Orders' }).click()
    server.change('00000003', 'delete')
    await expect.poll(() => row(page, 3).count()).toBe(0)
    expect(await focused(page)).toBe('the page')
  })

  test('announces each of two messages with the same title', async (context) => {
    const [page, server] = await openPage(kind, context)
    const announced = await page.getByRole('status').evaluateHandle((status) => {
      const texts: (string | null)[] = []
      const observer = new MutationObserver(() => texts.push(status.textContent))
      observer.observe(status, { childList: true, characterData: true, subtree: true })
      return texts
    })
    for (let count = 1; count <= 2; count++) {
      server.add({ subject: 'Again' })
      await expect.poll(() => announced.jsonValue()).toEqual(Array(count).fill('New notification: Again'))
    }
  })

  test('saves times of a day without hours, and reverts a rejected time', async (context) => {
    const [page, server] = await openPage(kind, context, (server) =>
      saveSchedule(server, { monday: { isEnabled: true } }),
    )
    if (kind === 'element') await page.getByRole('button', { name: 'Preferences' }).click()
    const from = page.getByLabel('Monday: From')
    const enter = async (time: string): Promise<void> => {
      await from.fill(time)
      await from.blur()
    }
    const alert = page.getByRole('alert').getByText('Your change was not saved.').first()
    await enter('09:00')
    await expect
      .poll(() => server.schedule()?.weeklySchedule?.monday)
      .toEqual({ isEnabled: true, hours: [{ start: '09:00', end: '00:00' }] })
    server.fail('/preferences')
    await enter('10:00')
    await alert.waitFor()
    expect(await from.inputValue()).toBe('09:00')
    await enter('')
    expect(await from.inputValue()).toBe('09:00')
  })

  test('keeps a day of the schedule that was changed on another device', async (context) => {
    const monday = { isEnabled: true }
    const [page, server] = await openPage(kind, context, (server) => saveSchedule(server, { monday }))
    if (kind === 'element') await page.getByRole('button', { name: 'Preferences' }).click()
    const tuesday = page.getByRole('switch', { name: 'Tuesday' })
    await tuesday.waitFor()
    await saveSchedule(server, { monday, wednesday: monday })
    await tuesday.click()
    await expect.poll(() => server.schedule()?.weeklySchedule?.tuesday?.isEnabled).toBe(true)
    expect(server.schedule()?.weeklySchedule).toMatchObject({ monday, wednesday: monday })
    await expect.poll(() => page.getByRole('switch', { name: 'Wednesday' }).isChecked()).toBe(true)
  })

  test('marks messages as seen only while the page is visible, and again after a failure', async (context) => {
    const [page, server] = await openPage(kind, context, async (server, page) => {
      server.fail('/seen')
      await page.addInitScript(() => {
        const get = () => document.documentElement.dataset['visibility'] ?? 'hidden'
        Object.defineProperty(document, 'visibilityState', { get })
      })
    })
    const attempts = () => server.requests.filter((line) => line === 'POST /notifications/seen').length
    const show = () =>
      page.evaluate(() => {
        document.documentElement.dataset['visibility'] = 'visible'
        document.dispatchEvent(new Event('visibilitychange'))
      })
    server.add()
    await row(page, 4).waitFor()
    expect(attempts()).toBe(0)
    await show()
    await expect.poll(attempts).toBe(1)
    server.fail()
    const attemptAgain = async (): Promise<number> => {
      await show()
      return attempts()
    }
    await expect.poll(attemptAgain, { timeout: 20_000, interval: 100 }).toBe(2)
  })
})
