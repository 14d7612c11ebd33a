import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { findViolations, keepPicture } from '../studio/visit.ts'
import { type LiveInbox, startLiveInbox } from './live-inbox.ts'
import { kinds } from './pages.ts'
import { bell, closeBrowser, subject, subjects, visit } from './visit.ts'

let live: LiveInbox
let applicationIdentifier: string

beforeAll(async () => {
  live = await startLiveInbox()
  applicationIdentifier = await live.applicationOf('Development')
  const numbers = Array.from({ length: 500 }, (_, index) => index + 1)
  // The test adds a message, so each kind needs its own subscriber.
  for (const kind of kinds) await live.send(`many-${kind}`, ...numbers)
  await live.send('axe', 1, 2)
})
afterAll(async () => {
  await closeBrowser()
  await live.stop()
})
const settingsOf = (subscriber: string) => ({ applicationIdentifier, subscriber, url: live.url })

describe.each(kinds)('%s', (kind) => {
  test('500 messages scroll smoothly, and visible messages do not move when a new one arrives', async (context) => {
    const { page, panel, open } = await visit(context, { kind, options: settingsOf(`many-${kind}`) })
    await open()
    const list = panel.locator('.trestle-scroll')
    await expect
      .poll(
        async () => {
          await list.evaluate((element) => element.scrollTo({ top: element.scrollHeight }))
          return panel.getByRole('listitem').count()
        },
        { timeout: 120_000 },
      )
      .toBe(500)

    // Scrolling to the start and back changes nothing in the page, and uses little processor time.
    const client = await page.context().newCDPSession(page)
    await client.send('Performance.enable', { timeDomain: 'threadTicks' })
    const busyMs = async (): Promise<number> => {
      const { metrics } = await client.send('Performance.getMetrics')
      return 1000 * (metrics.find(({ name }) => name === 'TaskDuration')?.value ?? Number.NaN)
    }
    const before = await busyMs()
    const steps = 200
    const mutations = await list.evaluate(async (element, count) => {
      let changed = 0
      const observer = new MutationObserver((records) => {
        changed += records.length
      })
      // Text is omitted, because ages change with the clock.
      observer.observe(element, { childList: true, subtree: true, attributes: true })
      const height = element.scrollHeight
      for (let step = 0; step <= count; step++) {
        element.scrollTo({ top: height * Math.abs(1 - (2 * step) / count) })
        await new Promise((resolve) => requestAnimationFrame(resolve))
      }
      observer.disconnect()
      return changed
    }, steps)
    expect(mutations).toBe(0)
    // A frame has 16 ms; a busy machine without a graphics card may need several times as long.
    expect((await busyMs()) - before).toBeLessThan(steps * 50)

    await list.evaluate((element) => element.scrollTo({ top: element.scrollHeight / 2 }))
    const middle = (await subjects(panel))[250] ?? ''
    const topOf = () =>
      panel.getByText(middle, { exact: true }).evaluate((element) => element.getBoundingClientRect().top)
    const top = await topOf()
    const number = kind === 'react' ? 501 : 502
    await live.send(`many-${kind}`, number)
    await panel.getByRole('button', { name: '1 new' }).waitFor()
    expect(await topOf()).toBe(top)
    await panel.getByRole('button', { name: '1 new' }).click()
    await subject(panel, number).waitFor()
    expect(await list.evaluate((element) => element.scrollTop)).toBe(0)
  })

  test('a new message does not move the message under the pointer', async (context) => {
    const subscriber = `pointer-${kind}`
    await live.send(subscriber, 1)
    const { page, panel, open } = await visit(context, { kind, options: settingsOf(subscriber) })
    await open()
    await subject(panel, 1).hover()
    await live.send(subscriber, 2)
    await panel.getByRole('button', { name: '1 new' }).waitFor()
    expect(await subjects(panel)).toEqual(['Message 1'])
    await page.getByRole('heading', { name: 'Orders' }).hover()
    await subject(panel, 2).waitFor()
  })

  test('everything works with the keyboard', async (context) => {
    const subscriber = `keys-${kind}`
    await live.send(subscriber, 1)
    await live.send(subscriber, 2)
    await live.send(subscriber, 3)
    const { page, panel } = await visit(context, { kind, options: settingsOf(subscriber) })
    await bell(page, 3).waitFor()
    const press = async (...keys: readonly string[]): Promise<void> => {
      for (const key of keys) await page.keyboard.press(key)
    }
    /** The name or text of the focused element. */
    const focused = () =>
      page.evaluate(() => {
        let element = document.activeElement
        while (element?.shadowRoot?.activeElement) element = element.shadowRoot.activeElement
        const title = element?.matches('.trestle-main') && element.querySelector('.trestle-subject')?.textContent
        return title || (element?.getAttribute('aria-label') ?? element?.textContent ?? '')
      })
    const reach = async (name: string, key = 'Tab'): Promise<void> => {
      for (let steps = 0; (await focused()) !== name; steps++) {
        if (steps === 30) throw new Error(`${key} does not lead to ${name}.`)
        await press(key)
      }
    }
    await reach('Notifications, 3 unread')
    await press('Enter')
    await subject(panel, 3).waitFor()
    await expect.poll(() => panel.locator('[aria-busy=true]').count()).toBe(0)
    await reach('Message 3')
    await press('ArrowDown')
    expect(await focused()).toBe('Message 2')
    await press('End')
    expect(await focused()).toBe('Message 1')
    await press('Home')
    expect(await focused()).toBe('Message 3')
    await press('Enter')
    await bell(page, 2).waitFor()

    // The menu opens with focus inside, wraps around, and returns focus.
    await reach('Actions for Message 3')
    await press('Enter')
    await expect.poll(focused).toBe('Mark as unread')
    await press('ArrowUp')
    expect(await focused()).toBe('Delete')
    await press('Escape')
    expect(await focused()).toBe('Actions for Message 3')
    expect(await panel.isVisible()).toBe(true)
    await press('Enter', 'ArrowDown', 'ArrowDown', 'Enter')
    await expect.poll(() => subjects(panel)).toEqual(['Message 2', 'Message 1'])
    // After the row is removed, the next one has focus.
    await expect.poll(focused).toBe('Message 2')
    await reach('Approve')
    await press('Enter')
    await panel.getByRole('button', { name: 'Approve (Done)' }).waitFor()
    await bell(page, 1).waitFor()

    await reach('All', 'Shift+Tab')
    await press('ArrowRight', 'ArrowRight')
    expect(await focused()).toBe('Snoozed')
    await subject(panel, 3).waitFor()
    await panel.getByText(/^Snoozed until/).waitFor()
    await reach('Message 3')
    await reach('Actions for Message 3')
    await press('Enter')
    await reach('End snooze', 'ArrowDown')
    await press('Enter')
    await panel.getByText('Nothing is snoozed').waitFor()
    await reach('Snoozed', 'Shift+Tab')
    await press('Home')
    await expect.poll(() => subjects(panel)).toEqual(['Message 3', 'Message 2', 'Message 1'])

    await reach('Preferences', 'Shift+Tab')
    await press('Enter')
    await expect.poll(focused).toBe('Back')
    const email = panel.getByRole('group', { name: 'told' }).getByRole('switch', { name: 'Email' })
    await email.focus()
    await press('Space')
    await expect.poll(() => email.isChecked()).toBe(false)
    await panel.getByRole('switch', { name: 'Use a schedule' }).focus()
    await press('Space')
    await panel.getByRole('switch', { name: 'Monday' }).waitFor()
    await expect
      .poll(async () => live.call(`GET /v2/subscribers/${subscriber}/preferences`))
      .toMatchObject({ global: { schedule: { isEnabled: true, weeklySchedule: { monday: { isEnabled: true } } } } })
    await press('Escape')
    await expect.poll(focused).toBe('Notifications, 1 unread')
    expect(await panel.count()).toBe(0)
  })

  test.for([
    ['light', '', 1100],
    ['dark', '', 1100],
    ['light', 'dir="rtl"', 1100],
    ['light', 'data-theme="dark"', 1100],
    ['dark', 'dir="rtl"', 390],
  ] as const)('axe finds no violation: %s, %s, %i px', async ([colorScheme, attributes, width], context) => {
    const look = { kind, colorScheme, attributes, viewport: { width, height: 800 }, options: settingsOf('axe') }
    const { page, panel, open, complaints } = await visit(context, look)
    const check = async (name: string): Promise<void> => {
      expect(await findViolations(page), name).toEqual([])
      await keepPicture(page, `inbox-${kind}-${colorScheme}-${width}${attributes}-${name}`)
    }
    await bell(page, 2).waitFor()
    await check('bell')
    await open()
    await subject(panel, 2).waitFor()
    await check('list')
    await panel.getByRole('button', { name: 'Actions for Message 2' }).click()
    await page.getByRole('menu').waitFor()
    await check('menu')
    await page.keyboard.press('Escape')
    await panel.getByRole('tab', { name: 'Archived' }).click()
    await panel.getByText('Nothing is archived').waitFor()
    await check('empty')
    await panel.getByRole('button', { name: 'Preferences' }).click()
    await panel.getByRole('group', { name: 'told' }).waitFor()
    await check('preferences')
    // The page's content security policy has blocked nothing.
    expect(complaints).toEqual([])
  })
})
