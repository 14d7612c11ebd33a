import axe from 'axe-core'
import type { Browser, Page } from 'playwright-core'
import { expect } from 'vitest'
import type { Stage } from './stage.ts'

/** How a page of the studio is opened. */
export interface OpenOptions {
  /** Whether the person prefers dark colours. @default false */
  readonly dark?: boolean
  /** Whether it is as wide as a phone. @default false */
  readonly phone?: boolean
}

/** A page of the studio in a browser. */
export interface StudioPage {
  /** The page. */
  readonly page: Page
  /** What it wanted of other hosts. */
  readonly foreign: readonly string[]
  /** Its errors: thrown, or said on the console. */
  readonly errors: readonly string[]
  /** Goes to a path within the studio. */
  go(path: string): Promise<void>
}

/** Opens the studio in a profile of its own; other hosts than the service are out of reach. */
export async function openStudio(browser: Browser, stage: Stage, options: OpenOptions = {}): Promise<StudioPage> {
  const { dark = false, phone = false } = options
  const context = await browser.newContext({
    viewport: phone ? { width: 390, height: 844 } : { width: 1280, height: 900 },
    colorScheme: dark ? 'dark' : 'light',
    reducedMotion: 'reduce',
  })
  const page = await context.newPage()
  const foreign: string[] = []
  const errors: string[] = []
  await page.route('**', (route) => {
    const url = route.request().url()
    if (url.startsWith(`${stage.url}/`) || url.startsWith('data:')) return route.continue()
    foreign.push(url)
    return route.abort()
  })
  page.on('pageerror', (error) => errors.push(error.message))
  page.on('console', (message) => {
    // The browser tells of every answer that is not a success; what a page does with it is what counts.
    if (message.type() === 'error' && !message.text().startsWith('Failed to load resource')) errors.push(message.text())
  })
  return {
    page,
    foreign,
    errors,
    async go(path) {
      await page.goto(`${stage.url}/studio${path}`)
      await page.locator('h1').waitFor()
    },
  }
}

/** Asserts that axe finds nothing wrong, and that the page is no wider than the window. */
export async function expectAccessible({ page }: StudioPage, what: string): Promise<void> {
  await page.evaluate(axe.source)
  const violations = await page.evaluate(async () => {
    const { axe: loaded } = window as unknown as { readonly axe: typeof axe }
    const result = await loaded.run(document, { iframes: false })
    return result.violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html.slice(0, 200)).join(' | ')}`)
  })
  expect(violations, what).toEqual([])
  const width = await page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth)
  expect(width, `${what} is wider than the window`).toBeLessThanOrEqual(0)
}
