import { existsSync, mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { chromium } from 'playwright-core'
import { startExample } from '../start/example.mjs'
import { pictures } from './pictures.mjs'
import { setUp } from './set-up.mjs'

const places = ['/usr/bin/chromium', '/usr/bin/chromium-browser', '/usr/bin/google-chrome']
// The environment of the person who runs the script, not of the build.
const { env } = process

/** The time for fonts, charts and animations after a page has loaded, in milliseconds. */
const settleMs = 1500

/**
 * Takes the pictures, light and dark, and writes them as WebP.
 *
 * @param {{ root: string, names: readonly string[], write: (line: string) => void }} options - The root folder, the
 * names of the pictures (all if empty), and the output.
 */
export async function takePictures({ root, names, write }) {
  const executablePath = [env['CHROMIUM_PATH'], ...places].find((path) => path && existsSync(path))
  if (!executablePath) throw new Error('No Chromium was found; CHROMIUM_PATH can name one.')
  const folder = join(root, 'packages/docs/pictures')
  mkdirSync(folder, { recursive: true })
  const { session, bridgeUrl } = await startExample({ port: 0 })
  const browser = await chromium.launch({ executablePath, args: ['--no-sandbox'] })
  try {
    await session.ready
    const pageUrl = new URL('/', bridgeUrl).href
    const stage = { session, pageUrl, ...(await setUp(session, pageUrl)) }
    for (const [name, picture] of Object.entries(pictures).filter(
      ([name]) => names.length === 0 || names.includes(name),
    ))
      for (const colorScheme of ['light', 'dark']) {
        const file = join(folder, colorScheme === 'dark' ? `${name}-dark.webp` : `${name}.webp`)
        const data = await take(browser, { ...picture, colorScheme }, stage)
        writeFileSync(file, data)
        write(`${file} ${Math.round(data.length / 1024)} kB`)
      }
  } finally {
    await browser.close()
    await session.stop()
  }
}

async function take(browser, { open, colorScheme, width = 1280, height = 800 }, { session, ...stage }) {
  const context = await browser.newContext({
    viewport: { width, height },
    colorScheme,
    deviceScaleFactor: 1.5,
    reducedMotion: 'reduce',
  })
  try {
    const page = await context.newPage()
    const { hash } = new URL(session.service.studioLink())
    await open(page, { ...stage, studio: (path) => `${session.service.url}/studio${path}${hash}` })
    await page.waitForTimeout(settleMs)
    const devTools = await context.newCDPSession(page)
    const { data } = await devTools.send('Page.captureScreenshot', { format: 'webp', quality: 75 })
    return Buffer.from(data, 'base64')
  } finally {
    await context.close()
  }
}
