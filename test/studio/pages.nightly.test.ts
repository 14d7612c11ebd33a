import { gzipSync } from 'node:zlib'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { setUpPages } from './set-up-pages.ts'
import { type Stage, startStage } from './stage.ts'
import { findViolations, type Look, phone, settle, type Visit } from './visit.ts'

let stage: Stage
const openPage = setUpPages()

beforeAll(async () => {
  stage = await startStage()
  await stage.call('POST', '/v2/subscribers', { subscriberId: 'ada', firstName: 'Ada', email: 'ada@example.com' })
  await stage.call('POST', '/v2/topics', { key: 'on-call', name: 'On call' })
})
afterAll(() => stage.stop())

async function open(look: Look = {}): Promise<Visit> {
  const visit = await openPage(stage, look)
  return visit
}

describe.each(['light', 'dark'] as const)('in %s', (colorScheme) => {
  test('axe finds no violation in any tab of a step', async () => {
    const { page, go } = await open({ colorScheme })
    await go('/workflows/incident-opened/steps/report')
    for (const tab of ['Controls', 'Subscriber', 'Earlier steps', 'Payload']) {
      await page.getByRole('tab', { name: tab }).click()
      await settle(page)
      expect(await findViolations(page), tab).toEqual([])
    }
    await page.getByRole('group', { name: 'Edit the payload as' }).getByRole('button', { name: 'JSON' }).click()
    await page.locator('.cm-content').waitFor()
    for (const view of ['Phone', 'Text', 'HTML']) await page.getByRole('button', { name: view, exact: true }).click()
    expect(await findViolations(page), 'JSON').toEqual([])
  })
})

test('axe finds violations on a faulty page', async () => {
  const { page, go } = await open()
  await go('/')
  await page.evaluate(() => {
    document.querySelector('main')?.insertAdjacentHTML('beforeend', '<p style="color:#ccc;background:#fff">pale</p>')
  })
  expect((await findViolations(page)).join()).toContain('color-contrast')
})

test('the menu of a phone leads to the pages, and axe finds no violation in it', async () => {
  const { page, go } = await open(phone)
  await go('/')
  await page.getByRole('button', { name: 'Menu' }).click()
  await page.getByRole('dialog').waitFor()
  expect(await findViolations(page), 'the menu').toEqual([])
  await page.getByRole('dialog').getByRole('link', { name: 'Workflows' }).click()
  await page.getByRole('heading', { level: 1, name: 'Workflows' }).waitFor()
  await expect.poll(() => page.getByRole('dialog').count()).toBe(0)
})

test('the list of pages shows the current page on a low screen', async () => {
  const { page, go } = await open({ width: 1280, height: 600 })
  await go('/')
  const isShown = (name: string) =>
    page
      .getByRole('navigation', { name: 'Main' })
      .getByRole('link', { name })
      .evaluate((link) => {
        const { x, y, width, height } = link.getBoundingClientRect()
        return link.contains(document.elementFromPoint(x + width / 2, y + height / 2))
      })
  expect([await isShown('Overview'), await isShown('Variables')]).toEqual([true, false])
  await go('/environment-variables')
  expect(await isShown('Variables')).toBe(true)
})

test('the first page is smaller than 200 kB', async () => {
  const { page, go } = await open()
  const sizes = new Map<string, Promise<number>>()
  page.on('response', (response) => {
    const { pathname } = new URL(response.url())
    if (!pathname.startsWith('/studio')) return
    const packed = pathname.endsWith('.woff2')
    sizes.set(
      pathname,
      response.body().then((body) => (packed ? body : gzipSync(body)).length),
    )
  })
  await go('/')
  const measured = await Promise.all([...sizes].map(async ([path, size]) => [path, await size] as const))
  const total = measured.reduce((sum, [, size]) => sum + size, 0)
  expect(total, JSON.stringify(measured)).toBeLessThan(200_000)
  // Measures everything: page, code, styles and fonts.
  for (const end of ['.js', '.css', '.woff2', '/studio/'])
    expect(measured.some(([path]) => path.endsWith(end))).toBe(true)
  expect(total).toBeGreaterThan(50_000)
})

test('the preview of a step can be reached from the start page by keyboard alone', async () => {
  const { page, go } = await open()
  await go('/')
  const focused = async (): Promise<string> =>
    page.evaluate(() => {
      const { activeElement: element } = document
      if (element instanceof HTMLTextAreaElement || element instanceof HTMLInputElement) return element.value
      return element?.matches('a, button') ? (element.textContent ?? '') : ''
    })
  const tabTo = async (text: string): Promise<void> => {
    for (let press = 0; press < 60; press += 1) {
      await page.keyboard.press('Tab')
      if ((await focused()).includes(text)) return
    }
    throw new Error(`The keyboard does not reach "${text}".`)
  }
  await page.keyboard.press('Tab')
  expect(await focused()).toBe('Skip to content')
  await tabTo('Workflows')
  await page.keyboard.press('Enter')
  await page.getByRole('heading', { level: 1, name: 'Workflows' }).waitFor()
  expect(await page.evaluate(() => document.activeElement?.id)).toBe('main')
  await tabTo('Incident opened')
  await page.keyboard.press('Enter')
  await page.getByRole('heading', { level: 1, name: 'Incident opened' }).waitFor()
  await tabTo('report')
  expect(await page.evaluate(() => getComputedStyle(document.activeElement ?? document.body).outlineStyle)).toBe(
    'solid',
  )
  await page.keyboard.press('Enter')
  await page.getByRole('heading', { level: 1, name: 'report' }).waitFor()
  await tabTo('Payload')
  await page.keyboard.press('ArrowRight')
  await page.keyboard.press('Enter')
  expect(await page.getByRole('tab', { name: 'Controls' }).getAttribute('aria-selected')).toBe('true')
  await tabTo('Hello {{ subscriber.firstName')
})

test('the theme follows the system until the user selects one, which is then kept', async () => {
  const { page, go } = await open({ colorScheme: 'dark' })
  await go('/')
  const background = async (): Promise<string> =>
    page.evaluate(() => getComputedStyle(document.documentElement).backgroundColor)
  expect(await background()).toBe('rgb(14, 17, 22)')
  await page.getByRole('button', { name: 'Light', exact: true }).click()
  await expect.poll(background).toBe('rgb(246, 247, 249)')
  await page.reload()
  expect(await background()).toBe('rgb(246, 247, 249)')
  await page.getByRole('button', { name: 'Same as system' }).click()
  await expect.poll(background).toBe('rgb(14, 17, 22)')
})

describe('the session', () => {
  test('is opened once by a link, survives a reload and other tabs, and reveals no key to the page', async () => {
    const { page, complaints, go } = await open()
    await go('/workflows')
    expect(page.url()).toBe(`${stage.url}/studio/env/Development/workflows`)
    await page.reload()
    await page.getByRole('heading', { level: 1, name: 'Workflows' }).waitFor()
    const tab = await page.context().newPage()
    await tab.goto(`${stage.url}/studio/`)
    await tab.getByRole('heading', { level: 1, name: 'Overview' }).waitFor()
    await tab.goto(`${stage.url}/studio/trigger?workflow=order-shipped`)
    await tab.getByText('SERVICE_SECRET_KEY', { exact: true }).waitFor()
    for (const one of [page, tab]) {
      const held = await one.evaluate(() => [
        document.documentElement.outerHTML,
        document.cookie,
        JSON.stringify({ ...localStorage, ...sessionStorage }),
      ])
      expect(held.join()).not.toContain('sk_0')
    }
    expect(complaints).toEqual([])
  })

  test('is not opened by a used link, which does not affect an open session', async () => {
    const link = stage.studioLink()
    const [first, second] = [await open(), await open()]
    await first.page.goto(link)
    await first.page.getByRole('heading', { level: 1, name: 'Overview' }).waitFor()
    await second.page.goto(link)
    await second.page.getByText('This link was already used').waitFor()
    expect(await findViolations(second.page)).toEqual([])
    await first.page.goto('about:blank')
    await first.page.goto(link)
    await first.page.getByRole('heading', { level: 1, name: 'Overview' }).waitFor()
  })

  test('is opened by a secret key, which is not stored', async () => {
    const { page } = await open()
    await page.goto(`${stage.url}/studio/`)
    expect(await page.locator('h1').textContent()).toBe('Open an environment')
    expect(await findViolations(page)).toEqual([])
    const field = page.getByLabel('Secret key')
    await field.fill('sk_wrong')
    await page.keyboard.press('Enter')
    await page.getByRole('alert').waitFor()
    await field.fill(stage.secretKey)
    await page.getByRole('button', { name: 'Open' }).click()
    await page.getByRole('heading', { level: 1, name: 'Overview' }).waitFor()
    const kept = await page.evaluate(() => JSON.stringify({ ...localStorage, ...sessionStorage }) + document.cookie)
    expect(kept).not.toContain(stage.secretKey)
    await page.reload()
    await page.getByRole('heading', { level: 1, name: 'Overview' }).waitFor()
    await page.getByRole('button', { name: 'Use a different key' }).click()
    await page.getByLabel('Secret key').waitFor()
    await page.reload()
    await page.getByLabel('Secret key').waitFor()
  })

  test('that the service no longer recognizes leads back to the key form', async () => {
    const { page, go } = await open()
    await go('/')
    await page.context().clearCookies()
    await page.getByRole('link', { name: 'Runs', exact: true }).click()
    await page.getByLabel('Secret key').waitFor()
  })
})
