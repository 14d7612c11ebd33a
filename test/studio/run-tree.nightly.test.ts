import { workflow } from '@trestle/core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { setUpPages } from './set-up-pages.ts'
import { type Stage, startStage } from './stage.ts'
import { findViolations, keepPicture } from './visit.ts'

const signature = workflow(
  'signature',
  async ({ step, subscriber }) => {
    await step.delay('time', () => ({ amount: 7, unit: 'days' }))
    await step.custom('check', () => {
      if (subscriber.subscriberId === 'grace') throw new Error('Not signed in time.')
      return {}
    })
  },
  { name: 'Signature' },
)

const contract = workflow(
  'contract',
  async ({ step }) => {
    const signatures = await step.trigger('signatures', () => ({ workflow: signature, to: ['ada', 'grace'] }), {
      await: true,
    })
    await step.inApp('end', () => ({ body: `The signatures: ${signatures.status}` }))
  },
  { name: 'Contract' },
)

const deal = workflow(
  'deal',
  async ({ step }) => {
    await step.trigger('contract', () => ({ workflow: contract, to: 'katherine' }))
  },
  { name: 'Deal' },
)

const openPage = setUpPages()
let stage: Stage

beforeAll(async () => {
  stage = await startStage({ more: [signature, contract, deal] })
}, 30_000)
afterAll(async () => {
  await stage.stop()
})

test('shows the runs that steps triggered as a tree, live, and opens each of them', async () => {
  const studio = await openPage(stage)
  const { page } = studio
  const status = page.getByRole('heading', { level: 1 }).locator('..')
  const tree = page.locator('section', { has: page.getByRole('heading', { name: 'Triggered runs' }) })
  const linesOf = async () => (await tree.getByRole('listitem').locator('> span').allTextContents()).map(toWords)
  const toWords = (text: string) => text.replace(/(Contract|Deal|Signature)(ada|grace|katherine|linus)/, '$1 $2 ')
  await stage.call('POST', '/v1/events/trigger', { name: 'deal', to: 'linus', payload: {} })
  await studio.go('/runs?subscriberId=linus')
  await page.getByRole('link', { name: 'Deal', exact: true }).click()
  await status.getByText('Completed').waitFor()
  await expect
    .poll(linesOf)
    .toEqual(['Deal linus Completed', 'Contract katherine Running', 'Signature ada Running', 'Signature grace Running'])
  expect(await tree.locator('[aria-current=true]').textContent()).toContain('Deal')

  await tree.getByRole('link', { name: 'Contract' }).click()
  await page.getByRole('heading', { level: 1, name: 'Contract' }).waitFor()
  const step = page.getByRole('article', { name: 'Step signatures' })
  await step.getByText('Waits for the runs that it triggered: 0 of 2 have ended').waitFor()
  expect(await step.getByRole('button', { name: 'Skip the wait' }).count()).toBe(0)
  expect(await findViolations(page)).toEqual([])
  await keepPicture(page, 'tree of runs')
  const parent = page.url()

  await step.getByRole('listitem').filter({ hasText: 'ada' }).getByRole('link', { name: 'Signature' }).click()
  await page.getByRole('link', { name: 'ada', exact: true }).first().waitFor()
  await page.getByRole('button', { name: 'Skip the wait' }).click()
  await status.getByText('Completed').waitFor()
  await page
    .getByText(/started .* by Contract/)
    .getByRole('link', { name: 'Contract' })
    .click()
  await page.waitForURL(parent)
  await step.getByText('Waits for the runs that it triggered: 1 of 2 have ended').waitFor()

  const other = await openPage(stage)
  await other.go('/runs?subscriberId=grace')
  await other.page.getByRole('link', { name: 'Signature', exact: true }).click()
  await other.page.getByRole('button', { name: 'Skip the wait' }).click()
  // The page of the parent updates without a reload.
  await status.getByText('Completed').waitFor()
  expect(await linesOf()).toEqual([
    'Deal linus Completed',
    'Contract katherine Completed',
    'Signature ada Completed',
    'Signature grace Failed',
  ])
  await step.getByRole('button', { name: /^signatures/ }).click()
  const result = page.getByRole('region', { name: 'what later steps see of signatures' })
  expect(await result.textContent()).toMatch(/"status": "failed"/)
  expect([...studio.complaints, ...other.complaints]).toEqual([])
})
