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

test('what a page holds belongs to its environment', async () => {
  const { page, go, complaints } = await openPage(stage)
  await go('/runs')
  await page.getByLabel('Started').selectOption('Custom…')
  await page.getByLabel('From', { exact: true }).waitFor()
  await page.getByLabel('Environment').selectOption('Production')
  await page.getByText('No runs yet').waitFor()
  expect(await page.getByLabel('From', { exact: true }).count()).toBe(0)
  expect(complaints).toEqual([])
})

test('an environment keeps its page and its data when it is renamed', async () => {
  const { page, go, complaints } = await openPage(stage)
  await go('/env/Production/environments')
  await page.getByRole('textbox', { name: 'Name' }).fill('Live')
  await page.getByRole('button', { name: 'Save' }).click()
  await expect.poll(() => pathOf(page.url())).toBe('/env/Live/environments')
  await page.getByRole('heading', { name: 'Environments', level: 1 }).waitFor()
  expect(await page.getByLabel('Environment', { exact: true }).inputValue()).toBe('Live')
  await page.getByRole('textbox', { name: 'Name' }).fill('Production')
  await page.getByRole('button', { name: 'Save' }).click()
  await expect.poll(() => pathOf(page.url())).toBe('/env/Production/environments')
  expect(complaints).toEqual([])
})

test('an id stays the same when the query of its page changes or the environment is switched', async () => {
  await stage.call('POST', '/v2/subscribers', { subscriberId: 'a%41', firstName: 'Percy' })
  const { page, go, complaints } = await openPage(stage)
  await go('/subscribers/a%252541')
  await page.getByRole('heading', { name: 'Percy', level: 1 }).waitFor()
  await page.getByRole('tab', { name: 'Topics' }).click()
  await expect.poll(() => pathOf(page.url())).toBe('/env/Development/subscribers/a%252541')
  await page.getByLabel('Environment').selectOption('Production')
  await page.getByText('A trigger for a%41 creates it.').waitFor()
  await go('/env/Development/subscribers?search=%2541')
  await page.getByRole('link', { name: 'Percy' }).waitFor()
  expect(await page.getByRole('searchbox').inputValue()).toBe('%41')
  expect(complaints.filter((line) => !line.includes('status of 404'))).toEqual([])
})
