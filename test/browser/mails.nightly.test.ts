import { sanitizeHtml } from '@trestle/core/html'
import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { startChromium } from './chromium.ts'
import { countDesigns } from './templates/count-designs.ts'
import { loadOwnMails, loadTemplates } from './templates/load-templates.ts'

const widths = [600, 375]
const picture = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
  'base64',
)

/**
 * Opens a page as an email client would: no scripts, one placeholder for every image, and no other external requests.
 */
async function openClient(browser: Awaited<ReturnType<typeof startChromium>>): Promise<Page> {
  const context = await browser.newContext({ javaScriptEnabled: false, deviceScaleFactor: 1 })
  await context.route('**', (route, request) =>
    request.resourceType() === 'image' ? route.fulfill({ contentType: 'image/png', body: picture }) : route.abort(),
  )
  return context.newPage()
}

async function photograph(page: Page, html: string, width: number): Promise<string> {
  await page.setViewportSize({ width, height: 400 })
  await page.setContent(html, { waitUntil: 'load' })
  const shot = await page.screenshot({ fullPage: true, animations: 'disabled', caret: 'hide' })
  return shot.toString('base64')
}

test('the corpus has emails from public templates with at least thirty designs', async () => {
  const mails = await loadTemplates()
  expect(countDesigns(mails)).toBeGreaterThanOrEqual(30)
  const reworded = mails.map(({ name, html }) => ({ name, html: html.replace(/>[^<>]+<\/(p|a|td)>/g, '>word</$1>') }))
  expect(countDesigns([...mails, ...reworded])).toBe(countDesigns(mails))
})

test('sanitized emails from public templates look the same, to the pixel', async (context) => {
  const browser = await startChromium(context)
  try {
    const page = await openClient(browser)
    const mails = [...(await loadTemplates()), ...(await loadOwnMails())]
    const different: string[] = []
    for (const { name, html } of mails) {
      const clean = sanitizeHtml(html)
      for (const width of widths)
        if ((await photograph(page, html, width)) !== (await photograph(page, clean, width)))
          different.push(`${name} ${width}`)
    }
    expect(different).toEqual([])
  } finally {
    await browser.close()
  }
})

test('detects an email that lost a style, an image or a word', async (context) => {
  const browser = await startChromium(context)
  try {
    const page = await openClient(browser)
    const [mail = { html: '' }] = await loadTemplates()
    const whole = await photograph(page, mail.html, 600)
    expect(await photograph(page, mail.html, 600)).toBe(whole)
    for (const harmed of [
      mail.html.replace(/<style[\s\S]*?<\/style>/, ''),
      mail.html.replace(/<img[^>]*>/, ''),
      mail.html.replace(/<h1[\s\S]*?<\/h1>/, ''),
    ])
      expect(await photograph(page, harmed, 600)).not.toBe(whole)
  } finally {
    await browser.close()
  }
})
