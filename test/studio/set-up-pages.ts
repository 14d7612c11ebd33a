import type { Browser } from 'playwright-core'
import { afterAll, afterEach, beforeEach } from 'vitest'
import { startChromium } from '../browser/chromium.ts'
import type { Stage } from './stage.ts'
import { type Look, type Visit, visit } from './visit.ts'

/**
 * Starts a browser for the tests of a file, and closes the pages of each test after it. Prints the content of a page
 * whose test failed.
 *
 * @returns A function that opens the studio of a service.
 */
export function setUpPages(): (stage: Stage, look?: Look) => Promise<Visit> {
  let browser: Browser | undefined
  const opened: Visit[] = []
  beforeEach(async (context) => {
    browser ??= await startChromium(context)
  })
  afterEach(async ({ task }) => {
    for (const { page, complaints } of opened.splice(0)) {
      if (task.result?.state === 'fail') {
        const text = await page.locator('body').ariaSnapshot()
        console.error([`The page was ${page.url()}`, ...complaints, text].join('\n'))
      }
      await page.context().close()
    }
  })
  afterAll(() => browser?.close())
  return async (stage, look) => {
    if (!browser) throw new Error('The browser was not started.')
    const pageVisit = await visit(browser, stage, look)
    opened.push(pageVisit)
    return pageVisit
  }
}
