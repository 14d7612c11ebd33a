import { existsSync } from 'node:fs'
import { type Browser, chromium } from 'playwright-core'
import type { TestContext } from 'vitest'

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
 * Starts the browser that is installed, with a profile of its own that is empty. Without one the test fails where CI
 * is set, and is skipped elsewhere.
 *
 * @param context - The test that needs it.
 */
export async function startChromium(context: TestContext): Promise<Browser> {
  const executablePath = [process.env['CHROMIUM_PATH'], ...places].find((path) => path && existsSync(path))
  if (executablePath) return chromium.launch({ executablePath, args: flags, headless: true })
  const advice =
    'No Chromium was found. On Debian it comes with "apt-get install chromium"; CHROMIUM_PATH names another.'
  if (isCi()) throw new Error(advice)
  // The reporter keeps the reason of a skip to itself.
  process.stderr.write(`${context.task.name}: skipped. ${advice}\n`)
  return context.skip(advice)
}

function isCi(): boolean {
  const value = process.env['CI']
  return value !== undefined && value !== '' && value !== 'false' && value !== '0'
}
