import { type Browser, chromium } from 'playwright-core'
import type { TestContext } from 'vitest'
import { findInstalled } from '../installed.ts'

const places = [
  '/usr/bin/chromium',
  '/usr/bin/chromium-browser',
  '/usr/bin/google-chrome',
  '/usr/bin/google-chrome-stable',
]
const flags = [
  ...['--no-sandbox', '--disable-gpu', '--disable-quic', '--no-first-run', '--disable-background-networking'],
  ...['--disable-component-update', '--disable-sync'],
]

/**
 * Starts the installed browser with a new, empty profile. Without a browser the test fails if CI is set, and is skipped
 * otherwise.
 */
export async function startChromium(context: TestContext, extraFlags: readonly string[] = []): Promise<Browser> {
  const executablePath = findInstalled(context, {
    places: [process.env['CHROMIUM_PATH'], ...places],
    advice: 'No Chromium was found. On Debian it comes with "apt-get install chromium"; CHROMIUM_PATH names another.',
  })
  return chromium.launch({ executablePath, args: [...flags, ...extraFlags], headless: true })
}
