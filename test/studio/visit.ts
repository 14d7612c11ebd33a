import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { Browser, Page, Request } from 'playwright-core'
import { expect } from 'vitest'
import type { Stage } from './stage.ts'

/** Options for visiting a page. */
export interface Look {
  /** Colours the system asks for. */
  readonly colorScheme?: 'light' | 'dark'
  /** Width of the window in pixels. */
  readonly width?: number
  /** Height of the window in pixels. */
  readonly height?: number
}

/** A page that is open, with what went wrong in it. */
export interface Visit {
  readonly page: Page
  /** What the browser complained about: errors of the page, refused by its policy, requests to elsewhere. */
  readonly complaints: readonly string[]
  /**
   * Goes to a page of the studio and waits until it has what it shows. The first time it goes by a link that opens it.
   */
  go(path: string): Promise<void>
}

/** Sizes of a phone. */
export const phone: Look = { width: 390, height: 844 }

/** Opens the studio in a new browser context. */
export async function visit(browser: Browser, stage: Stage, look: Look = {}): Promise<Visit> {
  const { colorScheme = 'light', width = 1440, height = 900 } = look
  const context = await browser.newContext({ viewport: { width, height }, colorScheme, reducedMotion: 'reduce' })
  const page = await context.newPage()
  page.setDefaultTimeout(10_000)
  const complaints: string[] = []
  page.on('pageerror', (error) => complaints.push(String(error)))
  page.on('console', (message) => {
    // A mail's picture that is not loaded from elsewhere is what the preview is for.
    const isPicture = message.text().includes('directive: "img-src data:"')
    if (['error', 'warning'].includes(message.type()) && !isPicture) complaints.push(message.text())
  })
  const note = (request: Request): void => {
    const url = request.url()
    const isRefused = request.failure()?.errorText === 'csp'
    if (!isRefused && !url.startsWith(stage.url) && !/^(about|data):/.test(url)) complaints.push(`asked for ${url}`)
  }
  page.on('requestfinished', note)
  page.on('requestfailed', note)
  let token = new URL(stage.studioLink() || stage.url).hash
  const go = async (path: string): Promise<void> => {
    await page.goto(`${stage.url}/studio${path}${token}`)
    token = ''
    await settle(page)
  }
  return { page, complaints, go }
}

/** Waits until a page has its heading and nothing in it is being read or rendered any more. */
export async function settle(page: Page): Promise<void> {
  await page.locator('h1').waitFor()
  await expect
    .poll(() => page.locator('[role=status][aria-label=Loading], [aria-busy=true]').count(), { timeout: 10_000 })
    .toBe(0)
  await page.evaluate(() => document.fonts.ready)
}

const axe = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8')

const pictures = fileURLToPath(new URL('pictures/', import.meta.url))

/**
 * Keeps a picture of a page where STUDIO_PICTURES is set, to be looked at after the tests.
 *
 * @param name - Name of the picture; what a file name cannot hold becomes `-`.
 */
export async function keepPicture(page: Page, name: string): Promise<void> {
  if (!process.env['STUDIO_PICTURES']) return
  await page.screenshot({
    path: join(pictures, `${name.replaceAll(/[^a-z0-9]+/gi, '-').replace(/^-|-$/g, '')}.png`),
    fullPage: true,
  })
}

/** Runs axe over a page, and returns what it found as lines. */
export async function findViolations(page: Page): Promise<readonly string[]> {
  await page.evaluate(axe)
  return page.evaluate(async () => {
    const { axe: runner } = globalThis as unknown as {
      axe: { run(context: Document, options: object): Promise<AxeResult> }
    }
    const { violations } = await runner.run(document, { iframes: false, resultTypes: ['violations'] })
    return violations.flatMap(({ id, nodes }) =>
      nodes.map(({ html, failureSummary }) => `${id}: ${html.slice(0, 200)} ${failureSummary}`),
    )
  })
}

interface AxeResult {
  readonly violations: readonly {
    readonly id: string
    readonly nodes: readonly { readonly html: string; readonly failureSummary?: string }[]
  }[]
}
