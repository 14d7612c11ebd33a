import { workflow } from '@trestle/core'
import type { Locator, Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { setUpPages } from './set-up-pages.ts'
import { type Stage, startStage } from './stage.ts'
import { findViolations, keepPicture, phone } from './visit.ts'

// The tasks of studio users, and the number of clicks for each.

const newsletter = workflow(
  'newsletter',
  async ({ step }) => {
    await step.email('issue', () => ({ subject: 'News', body: '<p>News</p>' }))
  },
  { name: 'Newsletter' },
)

const quiet = workflow(
  'quiet',
  async ({ step }) => {
    await step.email('hush', () => ({ subject: 'Hush', body: '<p>Hush</p>' }))
  },
  { name: 'Quiet', preferences: { all: { enabled: false } } },
)

const openPage = setUpPages()
let stage: Stage

beforeAll(async () => {
  stage = await startStage({ more: [newsletter, quiet] })
  await stage.call('POST', '/v2/subscribers', {
    subscriberId: 'u-17',
    firstName: 'Grace',
    lastName: 'Hopper',
    email: 'grace.hopper@example.com',
    phone: '+15551234567',
  })
  await stage.call('PATCH', '/v2/subscribers/u-17/preferences', { channels: { email: false } })
  await trigger('sign-in-code', 'u-17', { code: '123456' })
  await trigger('newsletter', 'u-17')
  await trigger('sign-in-code', { subscriberId: 'no-phone' }, { code: '654321' })
  await trigger('welcome', { subscriberId: 'alan', email: 'alan@example.com' })
  await vi.waitUntil(async () => (await list()).filter(({ status }) => status !== 'running').length === 4, 20_000)
})
afterAll(() => stage.stop())

interface Line {
  readonly status: string
  readonly subscriberId: string
}
const list = async (query = ''): Promise<readonly Line[]> =>
  ((await stage.call('GET', `/v1/studio/runs?limit=100${query}`)) as { data: readonly Line[] }).data
const trigger = (name: string, to: object | string, payload: object = {}): Promise<unknown> =>
  stage.call('POST', '/v1/events/trigger', { name, to, payload })

/** Counts clicks; typing and keys do not count. */
function countClicks() {
  const counted = { clicks: 0 }
  const click = async (what: Locator): Promise<void> => {
    counted.clicks += 1
    await what.click()
  }
  return { counted, click }
}
const toRuns = (page: Page): Locator =>
  page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: 'Runs' })

test('shows in 1 click that a subscriber has no address', async () => {
  const { page, go, complaints } = await openPage(stage)
  const { counted, click } = countClicks()
  await go('/')
  await page.getByText('Completed with warnings').waitFor()
  await click(toRuns(page))
  const row = page.getByRole('row', { name: /no-phone/ })
  await row.getByText('Completed with warnings').waitFor()
  await row
    .getByText(/The subscriber has no phone number/)
    .last()
    .waitFor()
  expect(counted.clicks).toBe(1)
  await keepPicture(page, 'tasks runs')
  expect(await findViolations(page)).toEqual([])
  await row.getByRole('link', { name: 'Sign-in code' }).click()
  const step = page.getByRole('article', { name: 'Step code' })
  await step.getByText('Not sent', { exact: true }).waitFor()
  expect(await page.getByRole('link', { name: 'Open in outbox' }).count()).toBe(0)
  await step.getByRole('link', { name: 'Open subscriber' }).click()
  await page.waitForURL(/\/subscribers\/no-phone\?tab=profile/)
  await go('/subscribers/no-phone?tab=messages')
  await page.getByRole('combobox', { name: 'Status' }).selectOption('sent')
  await page.getByText('No matching messages').waitFor()
  await page.getByRole('combobox', { name: 'Status' }).selectOption('warning')
  await page
    .getByRole('row', { name: /Not sent/ })
    .getByText(/no phone number/)
    .waitFor()
  expect(complaints).toEqual([])
})

test('shows in 2 clicks who disabled a channel, and links there', async () => {
  const { page, go } = await openPage(stage)
  const { counted, click } = countClicks()
  await go('/')
  await click(toRuns(page))
  await click(page.getByRole('row', { name: /u-17/ }).getByRole('link', { name: 'Newsletter' }))
  const step = page.getByRole('article', { name: 'Step issue' })
  await step.getByText('u-17 has turned Email off for all workflows.').waitFor()
  expect(counted.clicks).toBe(2)
  await keepPicture(page, 'tasks opted out')
  expect(await findViolations(page)).toEqual([])
  await step.getByRole('button', { name: /issue/ }).click()
  await page.getByText('This step has no output.').waitFor()
  await step.getByRole('link', { name: 'Open preferences' }).click()
  await page.getByRole('tab', { name: 'Preferences', selected: true }).waitFor()
})

test('shows in 1 click the step at which a run failed', async () => {
  const { page, go } = await openPage(stage)
  const { counted, click } = countClicks()
  await go('/')
  await click(toRuns(page))
  await page
    .getByRole('row', { name: /alan/ })
    .getByText(/^mail .*shout/)
    .last()
    .waitFor()
  expect(counted.clicks).toBe(1)
})

test('finds runs by part of an email address in 1 click', async () => {
  const { page, go } = await openPage(stage)
  const { counted, click } = countClicks()
  await go('/')
  await click(toRuns(page))
  await page.getByRole('searchbox', { name: 'Search runs' }).fill('hopper@ex')
  const rows = page.getByRole('table', { name: 'Runs' }).getByRole('row')
  await expect.poll(() => rows.count()).toBe(3)
  expect(await page.getByRole('row', { name: /u-17/ }).count()).toBe(2)
  expect(counted.clicks).toBe(1)
})

test('filters by several statuses and a period, which the URL keeps', async () => {
  const { page, go } = await openPage(stage)
  await go('/runs')
  await page.getByRole('button', { name: /^Status/ }).click()
  await page.getByRole('menuitemcheckbox', { name: 'Completed with warnings' }).click()
  await page.getByRole('menuitemcheckbox', { name: 'Failed' }).click()
  expect(await findViolations(page)).toEqual([])
  await keepPicture(page, 'tasks status menu')
  await page.keyboard.press('Escape')
  await page.getByRole('combobox', { name: 'Started' }).selectOption('15m')
  await page.waitForURL(/status=warning&status=failed&range=15m/)
  const rows = page.getByRole('table', { name: 'Runs' }).getByRole('row')
  await expect.poll(() => rows.count()).toBe(3)
  await page.reload()
  await expect.poll(() => rows.count()).toBe(3)
  await page.getByRole('combobox', { name: 'Started' }).selectOption('custom')
  await page.getByLabel('To', { exact: true }).fill('2020-01-01T00:00')
  await page.getByText('No matching runs').waitFor()
})

test('filters by error code and topic, which are suggested', async () => {
  await stage.call('POST', '/v2/topics/readers/subscriptions', { subscriptions: ['u-17'] })
  await stage.call('POST', '/v1/events/trigger', { name: 'newsletter', to: { type: 'Topic', topicKey: 'readers' } })
  await expect.poll(async () => (await list('&topicKey=readers')).length).toBe(1)
  const { page, go } = await openPage(stage)
  const rows = page.getByRole('table', { name: 'Runs' }).getByRole('row')
  const add = async (name: string, typed: string): Promise<void> => {
    await go('/runs')
    await page.getByRole('button', { name: 'More filters' }).click()
    await page.getByRole('menuitem', { name }).click()
    await page.getByRole('combobox', { name }).fill(typed)
  }
  await add('Error code', 'compil')
  await page.getByRole('option', { name: 'StepControlCompilationFailedError' }).click()
  await page.waitForURL(/errorCode=StepControlCompilationFailedError/)
  // Until the filtered list is loaded, the page shows the previous one.
  await expect.poll(() => page.getByRole('row', { name: /u-17/ }).count()).toBe(0)
  await page.getByRole('row', { name: /alan/ }).waitFor()
  await add('Topic', 'read')
  await page.getByRole('option', { name: 'readers' }).click()
  await page.waitForURL(/topicKey=readers/)
  await expect.poll(() => rows.count()).toBe(2)
  await page.getByRole('button', { name: 'Topic readers' }).click()
  await expect.poll(() => page.url()).not.toContain('topicKey')
})

test('keeps the list unchanged while it counts new runs', async () => {
  const { page, go } = await openPage(stage)
  await go('/runs')
  const rows = page.getByRole('table', { name: 'Runs' }).getByRole('row')
  const before = await rows.allTextContents()
  for (const id of ['late-1', 'late-2']) await trigger('sign-in-code', id, { code: '111111' })
  await page.getByRole('button', { name: '2 new runs' }).waitFor()
  expect(await rows.count()).toBe(before.length)
  await page.getByRole('button', { name: '2 new runs' }).click()
  await page.getByRole('row', { name: /late-2/ }).waitFor()
  expect(await rows.count()).toBe(before.length + 2)
  expect(await page.getByRole('button', { name: /new run/ }).count()).toBe(0)
})

test('shows new runs in a browser with a slow clock', async () => {
  const { page, go } = await openPage(stage)
  await page.clock.setFixedTime(Date.now() - 3_600_000)
  await go('/runs')
  await page.getByRole('row', { name: /no-phone/ }).waitFor()
  expect(await page.getByRole('button', { name: /new run/ }).count()).toBe(0)
})

test('links to a workflow that is disabled by default, if the bridge has it', async () => {
  await trigger('quiet', { subscriberId: 'hushed', email: 'hushed@example.com' })
  await expect.poll(async () => (await list('&search=hushed'))[0]?.status).toBe('completed')
  const bridge = (await stage.call('GET', '/v1/studio/bridge')) as { readonly data: object }
  for (const isListed of [true, false]) {
    const { page, go } = await openPage(stage)
    if (!isListed)
      await page.route('**/v1/studio/bridge', (route) =>
        route.fulfill({ json: { data: { ...bridge.data, workflows: [] } } }),
      )
    await go('/runs?search=hushed')
    await page
      .getByRole('row', { name: /hushed/ })
      .getByRole('link', { name: 'Quiet' })
      .click()
    const step = page.getByRole('article', { name: 'Step hush' })
    await step.getByText('Email is off by default in the code of the workflow.').waitFor()
    await page.getByText('Bridge connected').waitFor()
    await expect.poll(() => step.getByRole('link', { name: 'Open workflow' }).count()).toBe(isListed ? 1 : 0)
  }
})

test('shows 20 rows on a laptop, and every page fits a phone', async () => {
  for (let index = 0; index < 22; index++) await trigger('sign-in-code', `many-${index}`, { code: '222222' })
  await expect.poll(async () => (await list('&search=many-')).length).toBe(22)
  const { page, go } = await openPage(stage)
  await go('/runs')
  const rows = page.getByRole('table', { name: 'Runs' }).getByRole('row')
  const bottom = await rows.nth(20).evaluate((row) => row.getBoundingClientRect().bottom)
  expect(bottom).toBeLessThanOrEqual(900)
  const small = await openPage(stage, phone)
  await small.go('/runs')
  await keepPicture(small.page, 'tasks runs phone')
  expect(await findViolations(small.page)).toEqual([])
})

test('repeats 50 failed runs in 3 clicks', async () => {
  const events = Array.from({ length: 50 }, (_, index) => ({ name: 'welcome', to: `lot-${index}`, payload: {} }))
  await stage.call('POST', '/v1/events/trigger/bulk', { events })
  await expect.poll(async () => (await list('&search=lot-&status=failed')).length).toBe(50)
  const { page, go } = await openPage(stage)
  const { counted, click } = countClicks()
  await go('/')
  await click(page.getByRole('definition').nth(3).getByRole('link'))
  await page.getByRole('searchbox', { name: 'Search runs' }).fill('lot-')
  await click(page.getByRole('button', { name: 'Run 50 again' }))
  // A run that fails after the dialog opened is not repeated.
  await trigger('welcome', 'lot-late')
  await expect.poll(async () => (await list('&search=lot-late&status=failed')).length).toBe(1)
  await click(page.getByRole('dialog').getByRole('button', { name: 'Run again' }))
  await page.getByText('50 of 50 triggered again').waitFor()
  expect(counted.clicks).toBe(3)
  expect(await findViolations(page)).toEqual([])
  await keepPicture(page, 'tasks repeat all')
  const count = async (): Promise<unknown> =>
    ((await stage.call('GET', '/v1/studio/runs?search=lot-')) as { readonly totalCount: unknown }).totalCount
  await expect.poll(count).toBe(100 + 1)
})

test('repeats at most 500 runs, and says so', async () => {
  const { page, go } = await openPage(stage)
  await page.route(/\/v1\/studio\/runs\?/, async (route) => {
    const response = await route.fetch()
    await route.fulfill({ response, json: { ...((await response.json()) as object), totalCount: 501 } })
  })
  await go('/runs?status=failed')
  await page.getByRole('button', { name: 'Run 500 again' }).click()
  await page.getByRole('dialog').getByText('501 runs match. The newest 500 are run again').waitFor()
})

test('stops running runs again when the page is left', async () => {
  const events = Array.from({ length: 12 }, (_, index) => ({ name: 'welcome', to: `left-${index}`, payload: {} }))
  await stage.call('POST', '/v1/events/trigger/bulk', { events })
  await expect.poll(async () => (await list('&search=left-&status=failed')).length).toBe(12)
  const { page, go } = await openPage(stage)
  let repeated = 0
  await page.route(/\/v1\/studio\/runs\/\w+\/repeat$/, async (route) => {
    repeated += 1
    await new Promise((resolve) => setTimeout(resolve, 300))
    await route.continue().catch(() => undefined)
  })
  await go('/runs?status=failed&search=left-')
  await page.getByRole('button', { name: 'Run 12 again' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Run again' }).click()
  await expect.poll(() => repeated).toBeGreaterThan(0)
  await page.evaluate((to) => history.pushState(null, '', to), page.url().replace(/runs\?.*/, 'workflows'))
  await page.getByRole('heading', { level: 1, name: 'Workflows' }).waitFor()
  const started = repeated
  await new Promise((resolve) => setTimeout(resolve, 1000))
  expect(repeated).toBe(started)
})

test('edits the payload and runs again in 3 clicks', async () => {
  const { page, go } = await openPage(stage)
  const { counted, click } = countClicks()
  await go('/runs?subscriberId=u-17')
  await click(page.getByRole('row', { name: /u-17/ }).getByRole('link', { name: 'Sign-in code' }))
  await click(page.getByRole('link', { name: 'Edit and run again' }))
  expect(await page.getByLabel('Subscriber id').inputValue()).toBe('u-17')
  expect(await page.getByLabel('code', { exact: true }).inputValue()).toBe('123456')
  await page.getByLabel('code', { exact: true }).fill('999999')
  await keepPicture(page, 'tasks edit and run again')
  await click(page.getByRole('button', { name: 'Trigger', exact: true }))
  await page.waitForURL(/\/runs\/[0-9a-f]{24}$/)
  expect(counted.clicks).toBe(3)
  expect(await page.getByRole('region', { name: 'the payload' }).textContent()).toContain('"code": "999999"')
})

test('copies the trigger call of a run as curl in 2 clicks', async () => {
  const { page, go } = await openPage(stage)
  await page.context().grantPermissions(['clipboard-read', 'clipboard-write'])
  const { counted, click } = countClicks()
  await go('/runs?subscriberId=no-phone')
  await click(page.getByRole('row', { name: /no-phone/ }).getByRole('link', { name: 'Sign-in code' }))
  await click(page.getByRole('button', { name: 'Copy as curl' }))
  await page.getByText('Copied as curl').waitFor()
  expect(counted.clicks).toBe(2)
  const text = await page.evaluate(() => navigator.clipboard.readText())
  expect(text).toContain(`curl -X POST ${stage.url}/v1/events/trigger`)
  expect(text).toContain('"to": "no-phone"')
  expect(text).toContain('"code": "654321"')
  await page.getByRole('button', { name: 'Copy more' }).click()
  await page.getByRole('menuitem', { name: 'Copy as TypeScript' }).click()
  await page.getByText('Copied as TypeScript').waitFor()
  expect(await page.evaluate(() => navigator.clipboard.readText())).toContain("to: 'no-phone'")
})

/** Presses Tab until a control has the focus. */
async function tabTo(control: Locator): Promise<void> {
  await control.waitFor()
  for (let presses = 0; presses < 100; presses++) {
    if (await control.evaluate((it) => it === document.activeElement)) return
    await control.page().keyboard.press('Tab')
  }
  throw new Error(`Tab does not reach ${control}.`)
}

test('shows a preference, edits a run and repeats failed ones with the keyboard alone', async () => {
  const { page, go, complaints } = await openPage(stage)
  const press = async (control: Locator): Promise<void> => {
    await tabTo(control)
    await page.keyboard.press('Enter')
  }
  const runOf = (subscriberId: string, name: string): Locator =>
    page
      .getByRole('row', { name: new RegExp(subscriberId) })
      .getByRole('link', { name })
      .first()
  await go('/runs?subscriberId=u-17&workflowId=newsletter')
  await press(runOf('u-17', 'Newsletter'))
  await press(page.getByRole('article').getByRole('link', { name: 'Open preferences' }))
  await page.getByRole('tab', { name: 'Preferences', selected: true }).waitFor()

  await go('/runs?subscriberId=u-17&workflowId=sign-in-code')
  await press(runOf('u-17', 'Sign-in code'))
  await press(page.getByRole('link', { name: 'Edit and run again' }))
  await tabTo(page.getByLabel('code', { exact: true }))
  await page.keyboard.press('ControlOrMeta+a')
  await page.keyboard.type('888888')
  await press(page.getByRole('button', { name: 'Trigger', exact: true }))
  await page.waitForURL(/\/runs\/[0-9a-f]{24}$/)
  expect(await page.getByRole('region', { name: 'the payload' }).textContent()).toContain('"code": "888888"')

  await go('/runs?status=failed&search=alan')
  await press(page.getByRole('button', { name: /^Run \d+ again$/ }))
  await press(page.getByRole('dialog').getByRole('button', { name: 'Run again' }))
  await page
    .getByRole('dialog')
    .getByText(/triggered again$/)
    .waitFor()
  expect(complaints).toEqual([])
})

test('saves filters as a view, and exports what they match', async () => {
  const { page, go } = await openPage(stage)
  await go('/runs?status=warning&search=no-phone')
  await page.getByRole('button', { name: 'Views' }).click()
  await page.getByRole('menuitem', { name: 'Save these filters…' }).click()
  await page.getByLabel('Name of the view').fill('No address')
  await page.getByRole('button', { name: 'Save', exact: true }).click()
  await go('/runs')
  await page.getByRole('button', { name: 'Views' }).click()
  await page.getByRole('menuitem', { name: 'No address' }).click()
  await page.waitForURL(/status=warning&search=no-phone/)
  await expect.poll(() => page.getByRole('table', { name: 'Runs' }).getByRole('row').count()).toBe(2)
  for (const kind of ['CSV', 'JSON']) {
    const download = page.waitForEvent('download')
    await page.getByRole('button', { name: 'Export' }).click()
    await page.getByRole('menuitem', { name: `Export as ${kind}` }).click()
    const stream = await (await download).createReadStream()
    const chunks: Buffer[] = []
    for await (const chunk of stream) chunks.push(chunk as Buffer)
    const text = Buffer.concat(chunks).toString()
    expect(text).toContain('no-phone')
    expect(kind === 'CSV' ? text.trim().split('\r\n').length : JSON.parse(text).length).toBe(kind === 'CSV' ? 2 : 1)
  }
})
