import { workflow } from '@trestle/core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { setUpPages } from './set-up-pages.ts'
import { type Stage, startStage } from './stage.ts'
import { findViolations, keepPicture } from './visit.ts'

let isBroken = true
let checks = 0

/** The check fails until it is repaired. */
const nightlyCheck = workflow(
  'nightly-check',
  async ({ step }) => {
    await step.inApp('bell', () => ({ body: 'The check has started.' }))
    const { total } = await step.custom('check', () => {
      checks++
      if (isBroken) throw new Error('The database does not answer.')
      return { total: 7 }
    })
    await step.sms('tell', () => ({ body: `${total} rows` }))
  },
  { name: 'Nightly check' },
)

const openPage = setUpPages()
let stage: Stage

beforeAll(async () => {
  stage = await startStage({ more: [nightlyCheck] })
})
afterAll(async () => {
  await stage.stop()
})

test('runs a workflow again from a failed step, without sending earlier messages again', async () => {
  const studio = await openPage(stage)
  const { page } = studio
  const to = { subscriberId: 'ada', phone: '+15550100' }
  await stage.call('POST', '/v1/events/trigger', { name: 'nightly-check', to, payload: {} })
  await studio.go('/runs?subscriberId=ada')
  await page
    .getByRole('row', { name: /Failed/ })
    .getByRole('link', { name: 'Nightly check' })
    .click()
  const before = page.url()
  await page
    .getByRole('article', { name: 'Step check' })
    .getByRole('button', { name: /^check/ })
    .click()
  isBroken = false
  await page.getByRole('button', { name: 'Run again from here' }).click()
  await page.waitForURL((url) => /\/runs\/[0-9a-f]{24}$/.test(url.pathname) && url.href !== before)
  await page.getByRole('heading', { level: 1 }).locator('..').getByText('Completed').waitFor()

  await page.getByRole('article', { name: 'Step bell' }).getByRole('button', { name: /^bell/ }).click()
  await page.getByText('Not run again: its result was copied from an earlier run.').waitFor()
  expect(await findViolations(page)).toEqual([])
  await keepPicture(page, 'run from a step')
  expect(checks).toBe(2)
  const { data } = (await stage.call('GET', '/v1/messages?subscriberId=ada')) as { data: { channel: string }[] }
  expect(data.map(({ channel }) => channel).sort()).toEqual(['in_app', 'sms', 'sms'])
  await page.getByRole('link', { name: 'an earlier run' }).click()
  await page.waitForURL(before)
  expect(studio.complaints).toEqual([])
})
