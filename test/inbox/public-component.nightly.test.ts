import type { Locator, Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { startChromium } from '../browser/chromium.ts'
import { servePage } from './page.ts'
import { startPublicService } from './public-service.ts'

const script = `
import { createRoot } from 'react-dom/client'
import { Inbox } from '@novu/react'
const options = JSON.parse(decodeURIComponent(location.hash.slice(1)))
createRoot(document.querySelector('main')).render(<Inbox {...options} />)
`
const within = { timeout: 20_000, interval: 20 }

/** Clicks, and waits until the service has accepted the resulting request. */
async function change(page: Page, request: RegExp, click: () => Promise<void>): Promise<void> {
  const answered = page.waitForResponse(
    (response) => request.test(`${response.request().method()} ${new URL(response.url()).pathname}`),
    { timeout: 20_000 },
  )
  await click()
  expect([request, (await answered).ok()]).toEqual([request, true])
}

test('the component of @novu/react works unchanged: message status, filters, preferences, live messages', async (context) => {
  const browser = await startChromium(context)
  context.onTestFinished(() => browser.close())
  const { service, identifier, trigger } = await startPublicService(context)
  const page = await browser.newPage()
  const complaints: string[] = []
  page.on('pageerror', (error) => complaints.push(String(error)))
  page.on(
    'response',
    (response) => response.status() >= 400 && complaints.push(`${response.status()} ${response.url()}`),
  )
  const opened = { applicationIdentifier: identifier, subscriber: 'ada' }
  const addresses = { apiUrl: service.url, backendUrl: service.url, socketUrl: service.socketUrl }
  await trigger()
  const url = await servePage(script, context)
  await page.goto(`${url}#${encodeURIComponent(JSON.stringify({ ...opened, ...addresses }))}`)

  const at = (name: string): Locator => page.locator(`.nv-${name}`)
  const items = at('notification')
  const press = (request: RegExp, name: string) =>
    change(page, request, async () => {
      await items.first().hover()
      await at(name).first().click()
    })
  const show = async (status: string) => {
    await at('inboxStatus__dropdownTrigger').click()
    await at('inboxStatus__dropdownItem').filter({ hasText: status }).click()
  }
  const count = (locator: Locator, number: number) => expect.poll(() => locator.count(), within).toBe(number)

  await count(at('bellDot'), 1)
  await at('inbox__popoverTrigger').click()
  await items.getByText('On its way').waitFor()
  await press(/^PATCH .*\/read$/, 'notificationRead__button')
  await count(at('bellDot'), 0)
  await press(/^PATCH .*\/unread$/, 'notificationUnread__button')
  await count(at('bellDot'), 1)
  await press(/^PATCH .*\/complete$/, 'notificationPrimaryAction__button')

  await press(/^PATCH .*\/archive$/, 'notificationArchive__button')
  await count(items, 0)
  await show('Archived')
  await count(items, 1)
  await press(/^PATCH .*\/unarchive$/, 'notificationUnarchive__button')
  await count(items, 0)

  await show('Unread & read')
  await count(items, 1)
  await items.first().hover()
  await at('notificationSnooze__button').click()
  await change(page, /^PATCH .*\/snooze$/, () => at('notificationSnooze__dropdownItem').first().click())
  await count(items, 0)
  await show('Snoozed')
  await count(items, 1)
  await press(/^PATCH .*\/unsnooze$/, 'notificationUnsnooze__button')
  await show('Unread & read')
  await count(items, 1)

  // A busy machine may be late once; if all five are late, the service is at fault.
  const notice = at('notificationListNewNotificationsNotice__button')
  const delays: number[] = []
  for (const number of [1, 2, 3, 4, 5]) {
    const startedMs = performance.now()
    await trigger()
    await notice.filter({ hasText: new RegExp(`^${number} `) }).waitFor()
    delays.push(performance.now() - startedMs)
  }
  expect(Math.min(...delays)).toBeLessThan(1000)
  await notice.click()
  await count(items, 6)

  const more = (request: RegExp, name: string) =>
    change(page, request, async () => {
      // The tooltip of a message may cover the button.
      await page.mouse.move(0, 0)
      await count(at('tooltipContent'), 0)
      await at('moreActions__dropdownTrigger').click()
      await at('moreActions__dropdownItem').filter({ hasText: name }).click()
    })
  await more(/^POST .*\/notifications\/read$/, 'Mark all as read')
  await count(at('bellDot'), 0)
  await more(/^POST .*\/notifications\/read-archive$/, 'Archive read')
  await count(items, 0)
  await more(/^POST .*\/notifications\/archive$/, 'Archive all')

  await at('preferences__button').click()
  await at('workflowContainer').getByText('shipped').click()
  await change(page, /^PATCH .*\/preferences\/[^/]+$/, () => at('channelSwitch').last().click())
  await page.reload()
  await at('inbox__popoverTrigger').click()
  await at('preferences__button').click()
  await at('workflowContainer').getByText('shipped').waitFor()
  expect(complaints).toEqual([])
})
