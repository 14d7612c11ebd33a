import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { build } from 'esbuild'
import { beforeAll, describe, expect, type TestContext, test, vi } from 'vitest'
import { applicationIdentifier, startInboxServer } from '../../packages/inbox/fixtures/inbox-server.ts'
import { startChromium } from '../browser/chromium.ts'
import { installOnce } from '../install-once.ts'
import { root } from '../repository.ts'

// Development builds of React: StrictMode runs effects twice, and hydration reports differences.

const eighteen = join(tmpdir(), 'trestle-react-18.3.1')
const modules = { 18: join(eighteen, 'node_modules'), 19: join(root, 'node_modules') }

beforeAll(async () => {
  const dependencies = { react: '18.3.1', 'react-dom': '18.3.1' }
  const isInstalled = (): boolean => existsSync(join(modules[18], '.package-lock.json'))
  await installOnce({ folder: eighteen, manifest: { private: true, dependencies }, isInstalled })
})

const app = `
import { createElement, StrictMode, useState, version } from 'react'
import { Inbox } from '@trestle/inbox/react'
export { version }
export function App({ url }) {
  const [count, setCount] = useState(0)
  const [isShown, setShown] = useState(true)
  // New objects in each render.
  const options = { applicationIdentifier: '${applicationIdentifier}', subscriber: { subscriberId: 'ada' }, url }
  return createElement(StrictMode, null,
    createElement('button', { onClick: () => setCount(count + 1) }, 'Rendered ' + count),
    createElement('button', { onClick: () => setShown(!isShown) }, 'Toggle'),
    isShown && createElement(Inbox, { ...options, texts: { title: 'Mitteilungen' } }))
}`
const client = `${app}
import { hydrateRoot } from 'react-dom/client'
hydrateRoot(document.getElementById('app'), createElement(App, { url: location.origin }))`
const onServer = `${app}
import { renderToString } from 'react-dom/server'
export const render = (url) => renderToString(createElement(App, { url }))`

/** Bundles a script with one version of React. */
async function bundle(contents: string, version: 18 | 19, platform: 'browser' | 'node'): Promise<string> {
  const folder = modules[version]
  const { outputFiles } = await build({
    stdin: { contents, resolveDir: join(root, 'test') },
    ...{ bundle: true, write: false, format: platform === 'node' ? 'cjs' : 'esm', platform, logLevel: 'silent' },
    alias: { react: join(folder, 'react'), 'react-dom': join(folder, 'react-dom') },
    define: { 'process.env.NODE_ENV': '"development"' },
  })
  return outputFiles[0]?.text ?? ''
}

/** Renders the app on a server, and returns React's errors. */
async function renderOnServer(version: 18 | 19, context: TestContext) {
  const folder = mkdtempSync(join(tmpdir(), 'trestle-ssr-'))
  context.onTestFinished(() => rmSync(folder, { recursive: true }))
  const file = join(folder, 'server.cjs')
  writeFileSync(file, await bundle(onServer, version, 'node'))
  const server = (await import(pathToFileURL(file).href)) as { version: string; render(url: string): string }
  const complain = vi.spyOn(console, 'error').mockImplementation(() => undefined)
  const markup = server.render('http://service.invalid')
  const complaints = complain.mock.calls.map(String)
  complain.mockRestore()
  return { markup, complaints, version: server.version }
}

describe.each([18, 19] as const)('React %i', (version) => {
  test('hydrates server-rendered markup; StrictMode opens one session and one stream', async (context) => {
    const rendered = await renderOnServer(version, context)
    expect(rendered.version).toMatch(new RegExp(`^${version}\\.`))
    expect(rendered.complaints).toEqual([])
    expect(rendered.markup).toContain('aria-label="Notifications"')

    const html = `<!doctype html><html lang="en"><head><title>App</title><link rel="icon" href="data:,">
<script type="module" src="/app.js"></script></head><body><div id="app">${rendered.markup}</div></body></html>`
    const script = await bundle(client, version, 'browser')
    const server = await startInboxServer({
      '/': { headers: { 'content-type': 'text/html' }, body: html },
      '/app.js': { headers: { 'content-type': 'text/javascript' }, body: script },
    })
    context.onTestFinished(() => server.stop())
    server.add()
    const browser = await startChromium(context)
    context.onTestFinished(() => browser.close())
    const page = await browser.newPage()
    const complaints: string[] = []
    page.on('console', (message) => ['error', 'warning'].includes(message.type()) && complaints.push(message.text()))
    page.on('pageerror', (error) => complaints.push(String(error)))
    await page.goto(server.url)
    await page.getByRole('button', { name: 'Notifications, 1 unread' }).click()
    await page.getByRole('dialog', { name: 'Mitteilungen' }).getByText('Message 1').waitFor()
    for (let count = 0; count < 3; count++) await page.getByRole('button', { name: `Rendered ${count}` }).click()
    server.add()
    await page.getByRole('button', { name: 'Notifications, 2 unread' }).waitFor()
    expect([server.sessions(), server.streams()]).toEqual([1, 1])

    await page.getByRole('button', { name: 'Toggle' }).click()
    await expect.poll(() => server.streams()).toBe(0)
    await page.getByRole('button', { name: 'Toggle' }).click()
    await page.getByRole('button', { name: 'Notifications, 2 unread' }).waitFor()
    expect([server.sessions(), server.streams()]).toEqual([2, 1])
    expect(complaints).toEqual([])
  })
})
