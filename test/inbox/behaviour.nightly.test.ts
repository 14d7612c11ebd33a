import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type LiveInbox, startLiveInbox } from './live-inbox.ts'
import { kinds } from './pages.ts'
import { bell, closeBrowser, show, subject, subjects, visit } from './visit.ts'

// The inbox in a browser against the real service, whose origin differs from the page's, under a strict policy.

const hourMs = 3_600_000

afterAll(closeBrowser)

describe.each(kinds)('%s', (kind) => {
  let live: LiveInbox
  let applicationIdentifier: string
  beforeAll(async () => {
    live = await startLiveInbox()
    applicationIdentifier = await live.applicationOf('Development')
  })
  afterAll(() => live.stop())
  const settingsOf = (subscriber: string) => ({ applicationIdentifier, subscriber, url: live.url })

  test('shows a live message without fetching the list again', async (context) => {
    const { page, panel, open, complaints } = await visit(context, { kind, options: settingsOf('ada') })
    await bell(page, 0).waitFor()
    await open()
    // From now on, list requests get no response: messages arrive through the stream.
    await page.route(/\/v1\/inbox\/notifications\?/, () => undefined)
    await live.send('ada', 1)
    await subject(panel, 1).waitFor()
    await bell(page, 1).waitFor()
    await live.send('ada', 2)
    await subject(panel, 2).waitFor()
    await live.send('ada', 3)
    await expect.poll(() => subjects(panel)).toEqual(['Message 3', 'Message 2', 'Message 1'])
    expect(complaints).toEqual([])
  })

  test('keeps two tabs in sync', async (context) => {
    await live.send('bea', 1, 2)
    const one = await visit(context, { kind, options: settingsOf('bea') })
    const other = await show(await one.page.context().newPage(), one.origin)
    for (const tab of [one, other]) {
      await tab.open()
      await bell(tab.page, 2).waitFor()
    }
    await one.panel.getByRole('listitem').first().hover()
    await one.panel.getByRole('listitem').first().getByRole('button', { name: 'Mark as read', exact: true }).click()
    for (const tab of [one, other]) await bell(tab.page, 1).waitFor()
    await other.panel
      .getByRole('listitem')
      .first()
      .getByRole('button', { name: /^Actions for/ })
      .click()
    await other.page.getByRole('menuitem', { name: 'Archive' }).click()
    for (const tab of [one, other]) await expect.poll(() => subjects(tab.panel)).toEqual(['Message 1'])
    await one.panel.getByRole('tab', { name: 'Archived' }).click()
    await subject(one.panel, 2).waitFor()
  })

  test('renews an expired session without flicker', async (context) => {
    await live.send('cleo', 1, 2, 3)
    const { page, panel, open, complaints } = await visit(context, { kind, options: settingsOf('cleo') })
    const sessions: number[] = []
    const streams: number[] = []
    page.on('response', (response) => {
      if (response.url().endsWith('/v1/inbox/session')) sessions.push(response.status())
      if (response.url().endsWith('/v1/inbox/events')) streams.push(response.status())
    })
    await open()
    await subject(panel, 1).waitFor()
    await bell(page, 3).waitFor()
    const before = { sessions: sessions.length, streams: streams.length }
    const changes = await page.evaluateHandle((wanted) => {
      const host = document.querySelector('trestle-inbox')?.shadowRoot ?? document
      const list = host.querySelector(wanted)
      const seen: string[] = []
      const observer = new MutationObserver((records) => {
        for (const { target, addedNodes, removedNodes } of records)
          for (const node of [...addedNodes, ...removedNodes]) seen.push(`${target.nodeName}: ${node.textContent}`)
      })
      if (list) observer.observe(list, { childList: true, subtree: true })
      return seen
    }, '.trestle-list')
    live.advance(2 * hourMs)
    await expect.poll(() => streams.slice(before.streams).at(-1)).toBe(200)
    expect(sessions.slice(before.sessions)).toEqual([201])
    expect(await changes.jsonValue()).toEqual([])
    await live.send('cleo', 4)
    await subject(panel, 4).waitFor()
    expect(complaints.filter((text) => !text.includes('401'))).toEqual([])
  })

  test('reveals nothing in Production to a page that has only the application identifier', async (context) => {
    const application = await live.applicationOf('Production')
    const options = { applicationIdentifier: application, subscriber: 'ada', url: live.url }
    const { page, origin, panel, open } = await visit(context, { kind, options })
    const statuses: string[] = []
    page.on('response', (response) => {
      const { pathname, origin: asked } = new URL(response.url())
      if (asked === live.url && response.request().method() !== 'OPTIONS')
        statuses.push(`${response.status()} ${pathname}`)
    })
    const { data } = await live.call('GET /v1/environments/me', undefined, 'Production')
    const { _id: id } = data as { _id: string }
    await live.call(`PUT /v1/environments/${id}`, { inbox: { origins: [origin] } }, 'Production')
    await page.reload()
    await open()
    await panel.getByText('Notifications are not available.').waitFor()
    expect(await panel.getByRole('listitem').count()).toBe(0)
    expect(new Set(statuses)).toEqual(new Set(['401 /v1/inbox/session']))
  })

  test('works offline, and syncs afterwards', async (context) => {
    await live.send('dora', 1, 2)
    const { page, panel, open } = await visit(context, { kind, options: settingsOf('dora') })
    await open()
    await subject(panel, 2).waitFor()
    await bell(page, 2).waitFor()
    await page.context().setOffline(true)
    await panel.getByText('Offline. Reconnecting…').waitFor()
    await subject(panel, 2).click()
    await bell(page, 1).waitFor()
    await live.send('dora', 3)
    expect(await subjects(panel)).toEqual(['Message 2', 'Message 1'])
    await page.context().setOffline(false)
    await page.mouse.move(0, 0)
    await page.getByRole('heading', { name: 'Orders' }).hover()
    await bell(page, 2).waitFor()
    await expect.poll(() => panel.getByText('Offline. Reconnecting…').count()).toBe(0)
    const { data } = await live.call('GET /v2/subscribers/dora/notifications?read=true')
    expect(data).toMatchObject([{ subject: 'Message 2' }])
  })
})
