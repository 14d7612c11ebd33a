import type { Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { setUpPages } from './set-up-pages.ts'
import { type Stage, startStage } from './stage.ts'
import { findViolations, keepPicture, type Look, phone } from './visit.ts'

const openPage = setUpPages()
let stage: Stage

beforeAll(async () => {
  stage = await startStage()
  await stage.call('POST', '/v2/layouts', { layoutId: 'shop', name: 'Shop' })
})
afterAll(async () => {
  await stage.stop()
})

const options = (page: Page) => page.getByRole('listbox').getByRole('option')

/** The editor, once the code of its completion is loaded. */
const editorOf = (page: Page) => page.locator('.cm-content[aria-autocomplete="list"]').first()

test('completes variables of the payload in a control, with the keyboard only', async () => {
  const { page, go, complaints } = await openPage(stage)
  await go('/workflows/incident-opened/steps/text')
  await page.getByRole('tab', { name: 'Controls' }).click()
  const field = page.getByRole('textbox', { name: /body/i })
  await field.fill('')
  await field.pressSequentially('Down: {{ pay')
  expect(await options(page).allTextContents()).toEqual([
    'payload.servicestring',
    'payload.summarystring',
    'payload.sincestring',
    expect.stringContaining('payload.severity'),
  ])
  expect(await findViolations(page)).toEqual([])
  await field.press('ArrowDown')
  expect(await page.getByRole('listbox').getByRole('option', { selected: true }).textContent()).toContain(
    'payload.summary',
  )
  await field.press('Enter')
  expect(await field.inputValue()).toBe('Down: {{ payload.summary }}')
  expect(await options(page).count()).toBe(0)
  // Typing continues after the variable, and the preview shows its value.
  await field.pressSequentially('!')
  expect(await field.inputValue()).toBe('Down: {{ payload.summary }}!')
  await page.getByText('Down: Payments fail for one customer in ten.!').waitFor()

  await field.pressSequentially(' {{ steps.')
  await options(page).filter({ hasText: 'steps.inbox.seen' }).waitFor()
  await field.press('Escape')
  expect(await options(page).count()).toBe(0)
  await field.press('Control+Space')
  await options(page).filter({ hasText: 'steps.inbox.read' }).first().click()
  expect(await field.inputValue()).toBe('Down: {{ payload.summary }}! {{ steps.inbox.read }}')
  await field.press('Tab')
  expect(await field.evaluate((element) => element === document.activeElement)).toBe(false)
  expect(complaints).toEqual([])
})

test('completes variables in the HTML of a control and of a layout', async () => {
  const { page, go, complaints } = await openPage(stage)
  const complete = async (typed: string, chosen: string): Promise<string> => {
    const editor = editorOf(page)
    await editor.click()
    await page.keyboard.press('Control+End')
    await page.keyboard.type(typed)
    await options(page).filter({ hasText: chosen }).first().waitFor()
    expect(await findViolations(page)).toEqual([])
    // CodeMirror ignores keys right after it opened the list.
    await page.waitForTimeout(100)
    await page.keyboard.press('Enter')
    await expect.poll(() => options(page).count()).toBe(0)
    return (await editor.textContent()) ?? ''
  }
  await go('/workflows/welcome/steps/mail')
  await page.getByRole('tab', { name: 'Controls' }).click()
  await editorOf(page).click()
  await page.keyboard.press('Control+End')
  await page.keyboard.type('{{')
  await expect.poll(() => options(page).count()).toBe(9)
  expect(await findViolations(page)).toEqual([])
  await page.keyboard.press('Escape')
  await page.keyboard.press('Backspace')
  await page.keyboard.press('Backspace')
  expect(await complete('{{ subscriber.la', 'subscriber.lastName')).toContain('{{ subscriber.lastName }}')
  expect(complaints).toEqual([])
  await go('/layouts/shop')
  expect(await complete('{{ subscriber.loc', 'subscriber.locale')).toContain('{{ subscriber.locale }}')
  await keepPicture(page, 'completion layout')
})

const looks: readonly Look[] = [{ width: 1440 }, { width: 1280, height: 800 }, phone].flatMap((look) => [
  { ...look, colorScheme: 'light' } as const,
  { ...look, colorScheme: 'dark' } as const,
])

test('axe finds no violation while variables are listed', async () => {
  for (const look of looks) {
    const { page, go } = await openPage(stage, look)
    await go('/workflows/incident-opened/steps/text')
    await page.getByRole('tab', { name: 'Controls' }).click()
    const field = page.getByRole('textbox', { name: /body/i })
    await field.fill('')
    await field.pressSequentially('{{')
    await options(page).first().waitFor()
    await keepPicture(page, `completion ${look.width} ${look.colorScheme}`)
    await field.focus()
    expect(await findViolations(page), JSON.stringify(look)).toEqual([])
  }
})
