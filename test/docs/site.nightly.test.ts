import { spawnSync } from 'node:child_process'
import { existsSync, readFileSync, statSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { extname, join } from 'node:path'
import type { Browser, BrowserContextOptions, Page } from 'playwright-core'
import { afterAll, beforeAll, expect, type TestContext, test } from 'vitest'
import { pages } from '../../.scripts/docs/site.mjs'
import { startChromium } from '../browser/chromium.ts'
import { root } from '../repository.ts'

const dist = join(root, 'packages/docs/.vitepress/dist')
const types: Readonly<Record<string, string>> = {
  '.html': 'text/html',
  '.js': 'text/javascript',
  '.css': 'text/css',
  '.json': 'application/json',
}

const fileOf = (path: string): string | undefined =>
  [path, `${path}.html`, `${path}index.html`]
    .map((one) => join(dist, one))
    .find((one) => existsSync(one) && statSync(one).isFile())

const server = createServer((request, response) => {
  const file = fileOf(decodeURIComponent(new URL(request.url ?? '/', 'http://site').pathname))
  response.writeHead(file ? 200 : 404, { 'content-type': types[extname(file ?? '')] ?? 'text/plain' })
  response.end(file && readFileSync(file))
})
let browser: Browser | undefined
let url = ''

beforeAll(async () => {
  const built = spawnSync(process.execPath, [join(root, '.scripts/docs.mjs')], { cwd: root, encoding: 'utf8' })
  expect({ status: built.status, error: built.status === 0 ? '' : built.stderr }).toEqual({ status: 0, error: '' })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
}, 300_000)
afterAll(async () => {
  await browser?.close()
  server.close()
})

async function open(context: TestContext, path: string, options: BrowserContextOptions = {}): Promise<Page> {
  browser ??= await startChromium(context)
  const page = await browser.newPage(options)
  await page.goto(`${url}${path}`)
  return page
}

test('shows each page at phone width, without errors or horizontal scrolling', {
  timeout: 300_000,
}, async (context) => {
  const page = await open(context, '/', { viewport: { width: 390, height: 800 } })
  const faults: string[] = []
  page.on('pageerror', (error) => faults.push(`${page.url()}: ${error.message}`))
  page.on('response', (answer) => answer.status() >= 400 && faults.push(`${page.url()}: ${answer.url()}`))
  for (const path of pages.keys()) {
    await page.goto(`${url}${path}`)
    await page.locator('h1').first().waitFor()
    const width = await page.evaluate(() => document.documentElement.scrollWidth)
    if (width > 390) faults.push(`${path}: ${width} px wide`)
  }
  expect(faults).toEqual([])
  await page.close()
})

test('finds the page of a step by a field name', async (context) => {
  const page = await open(context, '/')
  await page.locator('.VPNavBarSearch button').first().click()
  await page.locator('#localsearch-input').fill('lookBackWindow')
  await page.locator('#localsearch-list a[href*="/steps/digest"]').first().waitFor()
  await page.close()
})

test('shows the code for another framework in its tab', async (context) => {
  const page = await open(context, '/start/')
  await page.getByText('Fastify', { exact: true }).nth(1).click()
  expect(await page.locator('.vp-code-group .active').nth(1).textContent()).toContain('@trestle/fastify')
  await page.close()
})

test('the site and its pictures are dark if the system is', async (context) => {
  const page = await open(context, '/start/', { colorScheme: 'dark' })
  expect(await page.evaluate(() => document.documentElement.classList.contains('dark'))).toBe(true)
  await page.locator('.picture-dark').first().waitFor()
  expect(await page.locator('.picture-light').first().isVisible()).toBe(false)
  await page.close()
})

test('the pages of the site are also available as text for language models', () => {
  const list = readFileSync(join(dist, 'llms.txt'), 'utf8')
  for (const path of pages.keys()) expect(list).toContain(`](${path})`)
  const all = readFileSync(join(dist, 'llms-full.txt'), 'utf8')
  expect(all).toContain('# step.digest')
  expect(all).toContain('](/deploy-bridge)')
  expect(all).not.toContain('](deploy.md)')
  expect(all).toContain('ssl_certificate_key')
})

test('offers the deployment files for download', async () => {
  const answer = await fetch(`${url}/deploy-files.tar.gz`)
  expect(answer.status).toBe(200)
  const options = { input: Buffer.from(await answer.arrayBuffer()), encoding: 'utf8' } as const
  const { stdout } = spawnSync('tar', ['-tzf', '-'], options)
  expect(stdout.split('\n')).toEqual(expect.arrayContaining(['compose.yaml', 'deploy/kubernetes/deployment.yaml']))
})
