import { type Workflow, workflow } from '@trestle/core'
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { setUpPages } from './set-up-pages.ts'
import { type Stage, startStage } from './stage.ts'

const note = workflow('note', async ({ step }) => {
  await step.inApp('tell', () => ({ body: 'Something happened' }))
}) as unknown as Workflow

const openPage = setUpPages()
let stage: Stage
let runs = 0

beforeAll(async () => {
  stage = await startStage({ more: [note] })
  const subscribers = range(130).map((index) => ({ subscriberId: `reader-${index}` }))
  await stage.call('POST', '/v1/subscribers/bulk', { subscribers })
  const names = subscribers.map(({ subscriberId }) => subscriberId)
  for (const from of [0, 100])
    await stage.call('POST', '/v2/topics/news/subscriptions', { subscriptions: names.slice(from, from + 100) })
  for (const index of range(130))
    await stage.call('POST', `/v2/topics/topic-${index}/subscriptions`, { subscriptions: ['reader-0'] })
  for (const index of range(45)) await trigger(names[index] ?? '')
})
afterAll(() => stage.stop())

const range = (count: number): readonly number[] => [...Array(count).keys()]

async function trigger(to: string): Promise<void> {
  runs += 1
  await stage.call('POST', '/v1/events/trigger', { name: 'note', to, payload: {} })
}

const firstRow = (page: Page): Promise<string | null> => page.locator('tbody a').first().getAttribute('href')
const total = (page: Page): Promise<string | null> => page.locator('footer p').first().textContent()
const newRuns = async (page: Page): Promise<string> =>
  (await page.getByRole('button', { name: /new runs?$/ }).allTextContents()).join()

test('all tabs stay up to date even if there are more tabs than the browser allows connections', async () => {
  const studio = await openPage(stage)
  await studio.go('/runs')
  const tabs = [studio.page]
  for (const _ of range(7)) {
    const tab = await studio.page.context().newPage()
    await tab.goto(`${stage.url}/studio/runs`)
    await tab.getByRole('table', { name: 'Runs' }).waitFor()
    tabs.push(tab)
  }
  await trigger('reader-1')
  for (const tab of tabs) await expect.poll(() => newRuns(tab)).toBe('1 new run')

  // The tab that read the stream for all tabs is closed, and another one continues to read it.
  await studio.page.close()
  await trigger('reader-2')
  for (const tab of tabs.slice(1)) await expect.poll(() => newRuns(tab)).toBe('2 new runs')
})

test('the recipient of a preview can be any subscriber', async () => {
  await stage.call('PATCH', '/v2/subscribers/reader-0', { firstName: 'Oldest' })
  const { page, go } = await openPage(stage)
  await go('/workflows/incident-opened/steps/report')
  await page.getByRole('tab', { name: 'Subscriber' }).click()
  const sought = page.getByRole('combobox', { name: 'Subscriber' })
  await sought.fill('unknown')
  await page.getByText('Nothing found').waitFor()
  await sought.fill('Oldes')
  await page.getByRole('option', { name: 'reader-0 Oldest' }).click()
  await page.frameLocator('iframe').getByText('Hello Oldest').waitFor()
  await page.getByRole('button', { name: 'Sample' }).click()
  await page.frameLocator('iframe').getByText('Hello Ada').waitFor()
})

test('each tab fetches separately if the browser does not support locks', async () => {
  const { page, go } = await openPage(stage)
  await page.context().addInitScript(() => void Reflect.deleteProperty(Navigator.prototype, 'locks'))
  await go('/runs')
  const tab = await page.context().newPage()
  await tab.goto(`${stage.url}/studio/runs`)
  for (const one of [page, tab]) await expect.poll(() => total(one)).toBe(`${runs} runs`)
  await trigger('reader-4')
  for (const one of [page, tab]) await expect.poll(() => newRuns(one)).toBe('1 new run')
})

test('a slow list stays up to date while runs start faster than it is fetched', async () => {
  const { page, go } = await openPage(stage)
  await go('/runs')
  await page.route('**/v1/studio/runs?**', async (route) => {
    await new Promise((resolve) => setTimeout(resolve, 600))
    await route.continue().catch(() => undefined)
  })
  const before = runs
  const appearance = expect.poll(() => newRuns(page)).not.toBe('')
  let isShown = false
  const note = (): void => {
    isShown = true
  }
  void appearance.then(note, note)
  while (!isShown) {
    await trigger('reader-3')
    await new Promise((resolve) => setTimeout(resolve, 60))
  }
  await appearance
  await expect.poll(() => newRuns(page)).toBe(`${runs - before} new runs`)
})

test('the studio continues to fetch if the machine has no network', async () => {
  const { page, go } = await openPage(stage)
  await go('/runs')
  await page.evaluate(() => globalThis.dispatchEvent(new Event('offline')))
  await page.getByRole('link', { name: 'Topics', exact: true }).click()
  await page.getByRole('table', { name: 'Topics' }).waitFor()
})

test.each([
  { path: '/runs', table: 'Runs' },
  { path: '/subscribers', table: 'Subscribers' },
  { path: '/topics', table: 'Topics' },
  { path: '/topics/news', table: 'Subscribers' },
  { path: '/subscribers/reader-0?tab=topics', table: 'Topics' },
])('$path can be paged to the last page, and back with the browser’s back button', async ({ path, table }) => {
  const { page, go } = await openPage(stage)
  await go(path)
  await page.getByRole('table', { name: table }).waitFor()
  const older = page.getByRole('button', { name: 'Older' })
  const seen: (string | null)[] = []
  for (;;) {
    seen.push(await firstRow(page))
    if (await older.isDisabled()) break
    await older.click()
    await expect.poll(() => firstRow(page)).not.toBe(seen.at(-1))
  }
  const counted = Number.parseInt((await total(page)) ?? '', 10)
  expect(seen.length).toBe(Math.ceil(counted / (path === '/runs' ? 25 : 20)))
  for (const row of seen.slice(0, -1).reverse()) {
    await page.goBack()
    await expect.poll(() => firstRow(page)).toBe(row)
  }
})

test('a page without items says so, and links to the first page', async () => {
  const { page, go } = await openPage(stage)
  const first = ['/runs', '/subscribers', '/topics', '/agents/concierge', '/topics/news', '/outbox']
  const others = ['/addresses', '/connections', '/contexts', '/domains', '/webhooks']
  const byCursor = [...first, ...others].map((path) => `${path}?after=nothing`)
  for (const address of [...byCursor, '/tenants?page=7', '/layouts?page=7']) {
    await go(address)
    await page.getByText('This page is empty now').waitFor()
  }
  await go('/topics?after=nothing')
  await page.getByRole('button', { name: 'Go to the first page' }).click()
  await page.getByRole('table', { name: 'Topics' }).waitFor()
  await page.goBack()
  await page.getByText('This page is empty now').waitFor()
})

test('a run that is the only match of other filters stays in the list', async () => {
  const to = ['reader-11', 'reader-12']
  runs += to.length
  const { data } = (await stage.call('POST', '/v1/events/trigger', { name: 'note', to, payload: {} })) as {
    data: { transactionId: string }
  }
  const { page, go } = await openPage(stage)
  await go(`/runs?transactionId=${data.transactionId}`)
  await expect.poll(() => total(page)).toBe('2 runs')
  await page.getByRole('searchbox', { name: 'Search runs' }).fill('reader-11')
  await expect.poll(() => total(page)).toBe('1 run')
  await page.waitForTimeout(300)
  expect(new URL(page.url()).pathname).toBe('/studio/env/Development/runs')
})

test('finds recipients that are not among the newest ones', async () => {
  const { page, go } = await openPage(stage)
  await go('/trigger?subscriber=reader-0')
  await page.getByText('A subscriber of this environment.').waitFor()
  await page.getByLabel('Subscriber id').fill('reader-1000')
  await page.getByText('A new subscriber, created by the trigger.').waitFor()
  await go('/trigger?topic=topic-0')
  await page.getByText('Every subscriber of the topic gets a run.').waitFor()
  await page.getByLabel('Topic key').fill('topic-1000')
  await page.getByText('No topic has this key').waitFor()
})

test('a conversation shows that it has older messages', async () => {
  const begun = { agentId: 'concierge', subscriberId: 'reader-0' }
  const { data } = (await stage.call('POST', '/v1/studio/conversations', begun)) as { data: { _id: string } }
  await stage.call('POST', `/v1/studio/conversations/${data._id}/messages`, { text: 'hello' })
  const { page, go } = await openPage(stage)
  // Simulates more messages than one fetch returns.
  await page.route(`**/v1/studio/conversations/${data._id}`, async (route) => {
    const response = await route.fetch()
    const answer = (await response.json()) as { data: object }
    await route.fulfill({ response, json: { data: { ...answer.data, messageCount: 1500 } } })
  })
  await go(`/agents/concierge/conversations/${data._id}`)
  await page.getByText(/^The newest \d+ of 1500 messages are shown\.$/).waitFor()
  // The page may be fetched again while the tab is closed.
  await page.unrouteAll({ behavior: 'ignoreErrors' })
})

test('an inbox links to its older messages', async () => {
  for (const _ of range(105))
    await stage.call('POST', '/v1/events/trigger', { name: 'note', to: 'reader-9', payload: {} })
  runs += 105
  const { page, go } = await openPage(stage)
  await go('/runs?status=running')
  await page.getByText('No matching runs').waitFor()
  await go('/subscribers/reader-9')
  for (const _ of range(4)) await page.getByRole('button', { name: 'Show older messages' }).click()
  await page.getByText('The newest 100 are shown.').waitFor()
  await page.getByRole('link', { name: 'Messages' }).last().click()
  await page.getByRole('table', { name: 'Messages' }).waitFor()
  await page.getByRole('button', { name: 'Older' }).click()
  await page.waitForURL(/page=1/)
  await page.goBack()
  await page.waitForURL(/tab=messages$/)
})
