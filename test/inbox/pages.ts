import { readFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { build } from 'esbuild'
import type { TestContext } from 'vitest'
import type { Page as File } from '../../packages/inbox/fixtures/inbox-server.ts'
import { root } from '../repository.ts'

/** A page with a bell. */
export interface BellPage {
  /** Whether the bell is a React component or an element. @default 'react' */
  readonly kind?: 'react' | 'element'
  /** The options of `createInbox`. @default the address of the page */
  readonly options: Readonly<Record<string, string>>
  /** Attributes of the page. @default none */
  readonly attributes?: string
  /** Script instead of the one that shows the bell. */
  readonly script?: string
}

/** The kinds of pages. */
export const kinds = ['react', 'element'] as const

const policyOf = (service: string): string =>
  [
    ...["default-src 'none'", "script-src 'self'", "style-src 'self'", "img-src 'self'", "base-uri 'none'"],
    `connect-src 'self' ${service}`,
  ].join('; ')

const looks = `body{margin:0;font:16px system-ui;color-scheme:light dark;background:light-dark(#fff,#101114);
color:light-dark(#111,#eee)}[data-theme=dark] body{color-scheme:dark}
header{display:flex;justify-content:space-between;padding:8px 16px}main{padding:0 16px;block-size:1200px}`

const reactScript = `
import { createElement } from 'react'
import { createRoot } from 'react-dom/client'
import { Inbox } from '@trestle/inbox/react'
const options = { url: location.origin, ...JSON.parse(document.body.dataset.options) }
createRoot(document.getElementById('app')).render(createElement(Inbox, options))
`

/** Sets the address of the service as a property, before the element is defined. */
const elementScript = `
const element = document.querySelector('trestle-inbox')
if (!element.hasAttribute('url')) element.url = location.origin
await import('/element.js')
`

/** Returns the files of a page, under a policy that allows no inline script or style. */
export async function createPage({
  kind = 'react',
  options,
  attributes = '',
  script,
}: BellPage): Promise<Readonly<Record<string, File>>> {
  const dist = (name: string): string => readFileSync(join(root, 'packages/inbox/dist', name), 'utf8')
  const file = (type: string, body: string): File => ({ headers: { 'content-type': `${type}; charset=utf-8` }, body })
  const isElement = kind === 'element'
  const names = ['applicationIdentifier', 'subscriber', 'subscriberHash', 'url'] as const
  const settings = names.flatMap((name) =>
    options[name] === undefined
      ? []
      : `${name.replaceAll(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}="${options[name]}"`,
  )
  const app = isElement ? `<trestle-inbox ${settings.join(' ')}></trestle-inbox>` : '<div id="app"></div>'
  const html = `<!doctype html><html lang="en" ${attributes}><head><meta charset="utf-8"><title>App</title>
<meta name="viewport" content="width=device-width"><link rel="stylesheet" href="/page.css">
${isElement ? '' : '<link rel="stylesheet" href="/inbox.css">'}<link rel="icon" href="/icon.svg">
<script type="module" src="/app.js"></script></head>
<body data-options='${JSON.stringify(options)}'><header><h1>Orders</h1>${app}</header>
<main><p>Nothing here.</p><button type="button">Elsewhere</button></main></body></html>`
  const headers = { 'content-type': 'text/html', 'content-security-policy': policyOf(options['url'] ?? '') }
  return {
    '/': { headers, body: html },
    '/app.js': file('text/javascript', isElement ? elementScript : await bundle(script ?? reactScript)),
    '/element.js': file('text/javascript', dist('element.js')),
    '/inbox.css': file('text/css', dist('inbox.css')),
    '/page.css': file('text/css', looks),
    '/icon.svg': file('image/svg+xml', '<svg xmlns="http://www.w3.org/2000/svg"/>'),
  }
}

/** Bundles a script for a browser. */
export async function bundle(contents: string, mode: 'production' | 'development' = 'production'): Promise<string> {
  const { outputFiles } = await build({
    stdin: { contents, resolveDir: join(root, 'test') },
    ...{ bundle: true, minify: mode === 'production', write: false, format: 'esm', platform: 'browser' },
    ...{ jsx: 'automatic', logLevel: 'silent' },
    define: { 'process.env.NODE_ENV': `"${mode}"` },
  })
  return outputFiles[0]?.text ?? ''
}

/** Serves files on a separate port, so that the page has a different origin than the service. Returns the origin. */
export async function serveFiles(files: Readonly<Record<string, File>>, context: TestContext): Promise<string> {
  const server = createServer((request, response) => {
    const file = files[new URL(request.url ?? '/', 'http://page').pathname]
    response.writeHead(file ? 200 : 404, file?.headers).end(file?.body)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  context.onTestFinished(() => {
    server.closeAllConnections()
    server.close()
  })
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`
}
