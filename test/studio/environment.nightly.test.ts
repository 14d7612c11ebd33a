import { afterAll, beforeAll, expect, test } from 'vitest'
import { setUpPages } from './set-up-pages.ts'
import { type Stage, startStage } from './stage.ts'
import { findViolations, keepPicture } from './visit.ts'

const openPage = setUpPages()
let stage: Stage

beforeAll(async () => {
  stage = await startStage()
})
afterAll(async () => {
  await stage.stop()
})

const pathOf = (url: string): string => new URL(url).pathname.replace('/studio', '')

test('a copied link opens its environment for a colleague', async () => {
  const { page, go, complaints } = await openPage(stage)
  await go('/subscribers?search=ada')
  await expect.poll(() => pathOf(page.url())).toBe('/env/Development/subscribers')
  expect(new URL(page.url()).search).toBe('?search=ada')
  await page.getByLabel('Environment').selectOption('Production')
  await expect.poll(() => pathOf(page.url())).toBe('/env/Production/subscribers')
  await page.getByRole('link', { name: 'Topics', exact: true }).click()
  await expect.poll(() => pathOf(page.url())).toBe('/env/Production/topics')

  const colleague = await openPage(stage)
  await colleague.go('/topics')
  expect(await colleague.page.getByLabel('Environment').inputValue()).toBe('Development')
  await colleague.page.goto(page.url())
  await colleague.page.getByRole('heading', { name: 'Topics', level: 1 }).waitFor()
  expect(await colleague.page.getByLabel('Environment').inputValue()).toBe('Production')
  // The browser's history leads back to the environment, too.
  await colleague.page.goBack()
  await expect.poll(() => colleague.page.getByLabel('Environment').inputValue()).toBe('Development')
  // A link without an environment opens in the last one used.
  await colleague.page.goto(`${stage.url}/studio/`)
  await colleague.page.getByRole('heading', { name: 'Overview', level: 1 }).waitFor()
  expect(pathOf(colleague.page.url())).toBe('/env/Development/')
  expect([...complaints, ...colleague.complaints]).toEqual([])
})

test('an old link to a run keeps its step, and another environment shows its own runs', async () => {
  const { page, go, complaints } = await openPage(stage)
  await stage.call('POST', '/v1/events/trigger', { name: 'welcome', to: 'ada', payload: {} })
  const runs = async () => ((await stage.call('GET', '/v1/studio/runs')) as { data: { _id: string }[] }).data
  await expect.poll(runs).toHaveLength(1)
  const [run] = await runs()
  await go(`/runs/${run?._id}?step=mail`)
  await page.getByRole('tab', { name: 'Outcome' }).waitFor()
  expect(pathOf(page.url())).toBe(`/env/Development/runs/${run?._id}`)
  await page.getByLabel('Environment').selectOption('Production')
  await page.getByText('No runs yet').waitFor()
  expect(pathOf(page.url())).toBe('/env/Production/runs')
  expect(complaints).toEqual([])
})

test('a link to an environment outside of the session says so', async () => {
  const { page, go, complaints } = await openPage(stage)
  await go('/env/QA%20%26%20Staging/workflows')
  await page.getByRole('heading', { name: 'Environment not available' }).waitFor()
  await page.getByText('This link opens the environment “QA & Staging”').waitFor()
  expect(await findViolations(page)).toEqual([])
  await keepPicture(page, 'foreign environment')
  await page.getByRole('button', { name: 'Open Development' }).click()
  await page.getByRole('heading', { name: 'Workflows', level: 1 }).waitFor()
  expect(pathOf(page.url())).toBe('/env/Development/workflows')
  expect(complaints).toEqual([])
})
