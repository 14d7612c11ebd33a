import type { Browser, Locator, Page } from 'playwright-core'
import { expect, type TestContext } from 'vitest'
import { startChromium } from '../browser/chromium.ts'
import { createPage, type kinds, serveFiles } from './pages.ts'

let browser: Browser | undefined

/** Closes the browser of all visits. */
export async function closeBrowser(): Promise<void> {
  await browser?.close()
  browser = undefined
}

/** A tab with a bell. */
export interface Visit {
  readonly page: Page
  readonly origin: string
  readonly panel: Locator
  /** The browser's errors. */
  readonly complaints: string[]
  open(): Promise<void>
}

/** Options of a visit. */
export interface Look {
  readonly kind: (typeof kinds)[number]
  readonly options: Readonly<Record<string, string>>
  readonly attributes?: string
  readonly colorScheme?: 'light' | 'dark'
  readonly viewport?: { readonly width: number; readonly height: number }
}

/** Serves a page with a bell, and opens it in a tab. */
export async function visit(
  context: TestContext,
  { colorScheme = 'light', viewport = { width: 1100, height: 760 }, ...look }: Look,
): Promise<Visit> {
  const origin = await serveFiles(await createPage(look), context)
  browser ??= await startChromium(context)
  const tabs = await browser.newContext({ colorScheme, viewport, reducedMotion: 'reduce' })
  context.onTestFinished(() => tabs.close())
  return show(await tabs.newPage(), origin)
}

/** Goes to a page with a bell. */
export async function show(page: Page, origin: string): Promise<Visit> {
  page.setDefaultTimeout(30_000)
  const complaints: string[] = []
  page.on('console', (message) => ['error', 'warning'].includes(message.type()) && complaints.push(message.text()))
  page.on('pageerror', (error) => complaints.push(String(error)))
  await page.goto(origin)
  const panel = page.getByRole('dialog', { name: 'Notifications' })
  const open = async (): Promise<void> => {
    await page.getByRole('button', { name: /^Notifications/ }).click()
    await panel.waitFor()
    await expect.poll(() => panel.locator('[aria-busy=true]').count()).toBe(0)
  }
  return { page, origin, panel, complaints, open }
}

/** The title of a message. */
export const subject = (panel: Locator, number: number): Locator =>
  panel.getByText(`Message ${number}`, { exact: true })
/** The titles of all messages, newest first. */
export const subjects = (panel: Locator): Promise<string[]> => panel.locator('.trestle-subject').allTextContents()
/** The bell with a number. */
export const bell = (page: Page, unread: number): Locator =>
  page.getByRole('button', { name: unread === 0 ? 'Notifications' : `Notifications, ${unread} unread`, exact: true })
