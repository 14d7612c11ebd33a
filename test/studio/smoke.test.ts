import { afterAll, beforeAll, expect, test } from 'vitest'
import { setUpPages } from './set-up-pages.ts'
import { type Stage, startStage } from './stage.ts'
import { findViolations, settle } from './visit.ts'

// Visits the main pages of the studio once. The other files in this folder belong to the nightly run.

let stage: Stage
const openPage = setUpPages()

beforeAll(async () => {
  stage = await startStage()
})
afterAll(() => stage.stop())

test('the studio lists workflows, previews a step while its payload changes, and follows a run', async () => {
  const { page, complaints, go } = await openPage(stage)
  await go('/')
  expect(await findViolations(page)).toEqual([])
  await page.getByRole('link', { name: 'Workflows', exact: true }).first().click()
  await page.getByRole('link', { name: 'Incident opened' }).click()
  await page.getByRole('heading', { level: 1, name: 'Incident opened' }).waitFor()
  await go('/workflows/incident-opened/steps/report')
  const mail = page.frameLocator('iframe')
  await mail.getByRole('heading', { name: 'checkout' }).waitFor()
  await page.getByLabel('service').fill('invoices')
  await mail.getByRole('heading', { name: 'invoices' }).waitFor()
  expect(await mail.locator('script, [onclick]').count()).toBe(0)
  expect(await page.locator('iframe').first().getAttribute('sandbox')).toBe('')
  expect(await findViolations(page)).toEqual([])

  await go('/runs')
  const to = { subscriberId: 'ada', firstName: 'Ada', email: 'ada@example.com' }
  const payload = { orderId: 'A-1042', carrier: 'post', trackingUrl: 'https://example.com/t/1042', items: [] }
  await stage.call('POST', '/v1/events/trigger', { name: 'order-shipped', to, payload })
  await page
    .getByRole('row', { name: /Order shipped/ })
    .getByRole('link', { name: 'Order shipped' })
    .click()
  await page.getByRole('article', { name: 'Step wait' }).waitFor()
  await settle(page)
  expect(await findViolations(page)).toEqual([])
  expect(complaints).toEqual([])
})
