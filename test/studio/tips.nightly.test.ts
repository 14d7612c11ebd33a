import { afterAll, beforeAll, expect, test } from 'vitest'
import { setUpPages } from './set-up-pages.ts'
import { type Stage, startStage } from './stage.ts'
import { findViolations, keepPicture, phone } from './visit.ts'

const openPage = setUpPages()
let stage: Stage

beforeAll(async () => {
  stage = await startStage()
  await stage.call('POST', '/v2/subscribers', {
    ...{ subscriberId: 'u-17', firstName: 'Grace', lastName: 'Hopper', email: 'grace@example.com' },
  })
  await stage.call('POST', '/v2/topics/news/subscriptions', { subscriptions: ['u-17'] })
})
afterAll(() => stage.stop())

const label = 'Remove u-17 from the topic'

test('the pointer and the keyboard show what an icon button does, and Escape hides it', async () => {
  const { page, go, complaints } = await openPage(stage)
  await go('/topics/news')
  const tip = page.locator('[data-side] [data-side]').filter({ hasText: label })
  const button = page.getByRole('button', { name: label })
  await button.hover()
  await tip.waitFor()
  await keepPicture(page, 'tooltip')
  expect(await findViolations(page)).toEqual([])
  await page.mouse.move(0, 0)
  await tip.waitFor({ state: 'detached' })
  await page.getByRole('link', { name: 'Grace Hopper' }).focus()
  await page.keyboard.press('Tab')
  await tip.waitFor()
  await page.keyboard.press('Escape')
  await tip.waitFor({ state: 'detached' })
  await button.hover()
  await tip.waitFor()
  await button.click()
  await tip.waitFor({ state: 'detached' })
  await page.getByText('No subscribers').waitFor()
  await stage.call('POST', '/v2/topics/news/subscriptions', { subscriptions: ['u-17'] })
  expect(complaints).toEqual([])
})

test('a long press on a touch screen shows a tooltip', async () => {
  const { page, go } = await openPage(stage, phone)
  await go('/topics/news')
  const button = page.getByRole('button', { name: label })
  await button.dispatchEvent('pointerdown', { pointerType: 'touch' })
  const tip = page.locator('[data-side] [data-side]').filter({ hasText: label })
  await tip.waitFor()
  await button.dispatchEvent('pointerup', { pointerType: 'touch' })
  expect(await tip.count()).toBe(1)
  await page.locator('h1').dispatchEvent('pointerdown', { pointerType: 'touch' })
  await tip.waitFor({ state: 'detached' })
})

test('a subscriber is found by part of the name or address, with the keyboard only', async () => {
  const { page, go, complaints } = await openPage(stage)
  await go('/trigger?workflow=sign-in-code')
  const field = page.getByRole('combobox', { name: 'Subscriber id' })
  await field.fill('hopp')
  await page.getByRole('option', { name: /u-17/ }).waitFor()
  await keepPicture(page, 'suggestions')
  // The open list hides the rest from screen readers, but not from Tab, which closes it.
  expect(await findViolations(page, ['[role=listbox]', '[role=combobox][aria-expanded=true]'])).toEqual([])
  await field.press('ArrowDown')
  await field.press('Enter')
  await expect.poll(() => field.inputValue()).toBe('u-17')
  await page.getByText('A subscriber of this environment.').waitFor()
  await field.fill('someone-new')
  await page.getByText('A new subscriber, created by the trigger.').waitFor()

  await go('/agents')
  await page.getByRole('button', { name: 'New conversation with concierge' }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByRole('combobox', { name: 'Subscriber' }).fill('grace@')
  await dialog.getByRole('option', { name: /u-17/ }).click()
  expect(await dialog.getByRole('combobox', { name: 'Subscriber' }).inputValue()).toBe('u-17')
  expect(await findViolations(page)).toEqual([])
  expect(complaints).toEqual([])
})
