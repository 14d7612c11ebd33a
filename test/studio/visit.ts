import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { Browser, Page, Request } from 'playwright-core'
import { expect } from 'vitest'
import type { Stage } from './stage.ts'

/** Options for visiting a page. */
export interface Look {
  /** The color scheme of the system. */
  readonly colorScheme?: 'light' | 'dark'
  /** Width of the window in pixels. */
  readonly width?: number
  /** Height of the window in pixels. */
  readonly height?: number
}

/** An open page with its errors. */
export interface Visit {
  readonly page: Page
  /** Errors in the browser: page errors, policy violations, and requests to other servers. */
  readonly complaints: readonly string[]
  /** Opens a page of the studio and waits until it is loaded. The first call uses a sign-in link. */
  go(path: string): Promise<void>
}

/** The size of a phone. */
export const phone: Look = { width: 390, height: 844 }

/** Opens the studio in a new browser context. */
export async function visit(browser: Browser, stage: Stage, look: Look = {}): Promise<Visit> {
  const { colorScheme = 'light', width = 1440, height = 900 } = look
  const context = await browser.newContext({ viewport: { width, height }, colorScheme, reducedMotion: 'reduce' })
  const page = await context.newPage()
  // Generous, because the machine may be busy; a passing test does not wait.
  page.setDefaultTimeout(60_000)
  const complaints: string[] = []
  page.on('pageerror', (error) => complaints.push(String(error)))
  page.on('console', (message) => {
    // An email's image is intentionally not loaded from its server.
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

/** Waits until a page has its heading and has finished loading and rendering. */
export async function settle(page: Page): Promise<void> {
  await page.locator('h1').waitFor()
  await expect.poll(() => page.locator('[role=status][aria-label=Loading], [aria-busy=true]').count()).toBe(0)
  await page.evaluate(() => document.fonts.ready)
}

const axe = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8')

const pictures = fileURLToPath(new URL('pictures/', import.meta.url))

/**
 * Saves a screenshot of a page if STUDIO_PICTURES is set.
 *
 * @param name - Name of the screenshot; characters that are invalid in file names become `-`.
 */
export async function keepPicture(page: Page, name: string): Promise<void> {
  if (!process.env['STUDIO_PICTURES']) return
  await page.screenshot({
    path: join(pictures, `${name.replaceAll(/[^a-z0-9]+/gi, '-').replace(/^-|-$/g, '')}.png`),
    fullPage: true,
  })
}

/**
 * Runs axe on a page, and returns its findings as lines. On pages of the studio, also reports native tooltips and lists of
 * suggestions, which neither touch screens nor the keyboard can open.
 *
 * @param within - Selectors of the parts to check. @default the whole page
 */
export async function findViolations(page: Page, within?: readonly string[]): Promise<readonly string[]> {
  await page.evaluate(axe)
  // Colors are wrong in the middle of a transition.
  await page.evaluate(async () => {
    const finite = document.getAnimations().filter(({ effect }) => effect?.getTiming().iterations !== Infinity)
    await Promise.allSettled(finite.map(({ finished }) => finished))
  })
  return page.evaluate(async (parts) => {
    const { axe: runner } = globalThis as unknown as {
      axe: { run(context: object, options: object): Promise<AxeResult> }
    }
    const { violations } = await runner.run(parts ? { include: parts } : document, {
      iframes: false,
      resultTypes: ['violations'],
    })
    const isStudio = location.pathname.startsWith('/studio')
    const native = isStudio ? [...document.querySelectorAll('[title]:not(iframe), datalist')] : []
    return [
      ...violations.flatMap(({ id, nodes }) =>
        nodes.map(({ html, failureSummary }) => `${id}: ${html.slice(0, 200)} ${failureSummary}`),
      ),
      ...native.map((one) => `native: ${one.outerHTML.slice(0, 200)}`),
    ]
  }, within)
}

interface AxeResult {
  readonly violations: readonly {
    readonly id: string
    readonly nodes: readonly { readonly html: string; readonly failureSummary?: string }[]
  }[]
}
