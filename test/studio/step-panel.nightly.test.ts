import { workflow } from '@trestle/core'
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { setUpPages } from './set-up-pages.ts'
import { type Stage, startStage } from './stage.ts'
import { findViolations, keepPicture, type Look, phone } from './visit.ts'

let attempts = 0

/** Sends on every channel; its check fails once. */
const digest = workflow(
  'weekly-report',
  async ({ step }) => {
    await step.inApp('bell', () => ({ body: 'The report is being made.' }))
    await step.custom(
      'check',
      () => {
        attempts++
        if (attempts === 1) throw new Error('The database does not answer.')
        return { total: 7 }
      },
      { retries: 1, backoff: { amount: 1, unit: 'seconds' } },
    )
    await Promise.all([
      step.sms('tell', () => ({ body: 'The report is ready.' })),
      step.email('mail', () => ({ subject: 'Weekly report', body: '<p>Seven rows.</p>' })),
    ])
  },
  { name: 'Weekly report' },
)

const openPage = setUpPages()
let stage: Stage
let runPath = ''

beforeAll(async () => {
  stage = await startStage({ more: [digest] })
  const to = { subscriberId: 'ada', phone: '+15550100', email: 'ada@example.com' }
  await stage.call('POST', '/v1/events/trigger', { name: 'weekly-report', to, payload: {} })
  const list = async () =>
    ((await stage.call('GET', '/v1/studio/runs')) as { data: { _id: string; status: string }[] }).data
  for (let [run] = await list(); ; [run] = await list()) {
    if (run?.status === 'completed') {
      runPath = `/runs/${run._id}`
      break
    }
    await new Promise((resolve) => setTimeout(resolve, 100))
  }
})
afterAll(async () => {
  await stage.stop()
})

const panelOf = (page: Page, stepId: string) =>
  page.getByRole('complementary', { name: `Details of step ${stepId}`, exact: true })

test('shows the details of a step next to the waterfall, and follows the keyboard', async () => {
  const { page, go, complaints } = await openPage(stage)
  await go(runPath)
  const rows = page.locator('[data-rows]').first().getByRole('button')
  await rows.filter({ hasText: 'check' }).getByText('Waiting to retry').waitFor({ state: 'attached' })
  await rows.filter({ hasText: 'check' }).click()
  await panelOf(page, 'check').getByRole('tab', { name: 'Bridge calls (2)' }).click()
  await panelOf(page, 'check').getByText('502', { exact: true }).waitFor()
  expect(await rows.first().isVisible()).toBe(true)
  const [waterfall, panel] = [
    await page.locator('[data-rows]').first().boundingBox(),
    await panelOf(page, 'check').boundingBox(),
  ]
  expect((waterfall?.x ?? 0) + (waterfall?.width ?? 0)).toBeLessThanOrEqual(panel?.x ?? 0)

  await rows.filter({ hasText: 'check' }).focus()
  await page.keyboard.press('j')
  await panelOf(page, 'tell').getByRole('tab', { name: 'Bridge call', selected: true }).waitFor()
  await page.keyboard.press('ArrowDown')
  await panelOf(page, 'mail').waitFor()
  await page.keyboard.press('k')
  await page.keyboard.press('ArrowUp')
  await panelOf(page, 'check').waitFor()
  // From anywhere on the page, the keys continue at the shown step.
  await page.getByRole('tab', { name: 'Outcome' }).focus()
  await page.keyboard.press('k')
  await panelOf(page, 'bell').waitFor()
  await page.keyboard.press('Escape')
  await expect.poll(() => page.getByRole('complementary', { name: /^Details/ }).count()).toBe(0)
  expect(await page.evaluate(() => document.activeElement?.textContent)).toMatch(/^bell/)
  expect(new URL(page.url()).search).toBe('')

  await page.keyboard.press('Enter')
  await page.getByRole('button', { name: 'Next step' }).click()
  await panelOf(page, 'check').waitFor()
  await page.getByRole('button', { name: 'Close', exact: true }).click()
  await expect.poll(() => page.getByRole('complementary', { name: /^Details/ }).count()).toBe(0)
  expect(complaints).toEqual([])
})

test('covers the whole page with the details on a phone', async () => {
  const { page, go, complaints } = await openPage(stage, phone)
  await go(runPath)
  await page.getByRole('article', { name: 'Step mail' }).getByRole('button').click()
  const sheet = page.getByRole('dialog', { name: 'Details of step mail' })
  await sheet.getByRole('tab', { name: 'Outcome' }).waitFor()
  expect(await sheet.boundingBox()).toEqual({ x: 0, y: 0, width: 390, height: 844 })
  await sheet.getByRole('button', { name: 'Previous step' }).click()
  await page.getByRole('dialog', { name: 'Details of step tell' }).waitFor()
  await page.keyboard.press('Escape')
  await expect.poll(() => page.getByRole('dialog').count()).toBe(0)
  expect(complaints).toEqual([])
})

const looks: readonly Look[] = [{ width: 1440 }, { width: 1280, height: 800 }, phone].flatMap((look) => [
  { ...look, colorScheme: 'light' } as const,
  { ...look, colorScheme: 'dark' } as const,
])

test('axe finds no violation with open details, and nothing is wider than the window', async () => {
  for (const look of looks) {
    const { page, go } = await openPage(stage, look)
    await go(`${runPath}?step=check`)
    await page.getByRole('tab', { name: /Bridge calls/ }).click()
    await page.getByRole('region', { name: 'the response of call 2' }).waitFor()
    await keepPicture(page, `step panel ${look.width} ${look.colorScheme}`)
    expect(await findViolations(page), JSON.stringify(look)).toEqual([])
    const width = await page.evaluate(() => document.documentElement.scrollWidth)
    expect(width).toBeLessThanOrEqual(look.width ?? 0)
  }
})
