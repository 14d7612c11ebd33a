import { join } from 'node:path'
import { prepare, root, startedExamples } from './prepare.mjs'

// npm run picture: takes the studio screenshot for the README, using the examples with the components of `trestle dev`.
// CHROMIUM_PATH selects a browser other than Debian's.

const file = join(root, 'packages/docs/pictures/studio.png')
const places = ['/usr/bin/chromium', '/usr/bin/chromium-browser', '/usr/bin/google-chrome']

// The environment of the person who runs the script, not of the build.
const { env } = process

async function main() {
  if (!prepare([...startedExamples, '@trestle/cli'])) return 1
  const [{ existsSync, mkdirSync }, { chromium }, { startExample }] = await Promise.all([
    import('node:fs'),
    import('playwright-core'),
    import('./start/example.mjs'),
  ])
  const executablePath = [env['CHROMIUM_PATH'], ...places].find((path) => path && existsSync(path))
  if (!executablePath) throw new Error('No Chromium was found; CHROMIUM_PATH can name one.')
  const { session } = await startExample({ port: 0 })
  const browser = await chromium.launch({ executablePath, args: ['--no-sandbox'] })
  try {
    await session.ready
    const page = await browser.newPage({ viewport: { width: 1280, height: 800 }, deviceScaleFactor: 2 })
    const { hash } = new URL(session.service.studioLink())
    await page.goto(`${session.service.url}/studio/workflows/order-shipped/steps/email${hash}`)
    await page.locator('iframe').first().waitFor()
    await page.waitForTimeout(1500)
    mkdirSync(join(file, '..'), { recursive: true })
    await page.screenshot({ path: file })
    process.stdout.write(`${file}\n`)
  } finally {
    await browser.close()
    await session.stop()
  }
  return 0
}

process.exit(await main())
