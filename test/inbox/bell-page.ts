import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { build } from 'esbuild'
import {
  applicationIdentifier,
  type InboxServer,
  startInboxServer,
} from '../../packages/inbox/fixtures/inbox-server.ts'
import { root } from '../packages/source.ts'

const policy =
  "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; img-src 'self' data:; font-src 'self'"

const app = `
import { createElement } from 'react'
import { createRoot } from 'react-dom/client'
import { Inbox } from '@trestle/inbox/react'
const options = { applicationIdentifier: '${applicationIdentifier}', subscriber: 'ada', url: location.origin }
createRoot(document.getElementById('app')).render(createElement(Inbox, options))
`

/** Starts a server with a page that shows the bell, under a policy that allows no inline script or style. */
export async function startPage(attributes = ''): Promise<InboxServer> {
  const { outputFiles } = await build({
    stdin: { contents: app, resolveDir: join(root, 'test') },
    ...{ bundle: true, minify: true, write: false, format: 'esm', platform: 'browser' },
    define: { 'process.env.NODE_ENV': '"production"' },
  })
  const css = readFileSync(join(root, 'packages/inbox/dist/inbox.css'), 'utf8')
  const html = `<!doctype html><html lang="en" ${attributes}><head><meta charset="utf-8"><title>App</title>
<meta name="viewport" content="width=device-width"><link rel="stylesheet" href="/inbox.css"><link rel="stylesheet" href="/page.css">
<link rel="icon" href="data:,"><script type="module" src="/app.js"></script></head>
<body><header><h1>Orders</h1><div id="app"></div></header><main><p>Nothing here.</p></main></body></html>`
  const page = `body{margin:0;font:16px system-ui;color-scheme:light dark;background:light-dark(#fff,#101114);color:light-dark(#111,#eee)}header{display:flex;justify-content:space-between;padding:8px 16px}`
  const file = (type: string, body: string) => ({ headers: { 'content-type': type }, body })
  return startInboxServer({
    '/': { headers: { 'content-type': 'text/html', 'content-security-policy': policy }, body: html },
    '/app.js': file('text/javascript', outputFiles[0]?.text ?? ''),
    '/inbox.css': file('text/css', css),
    '/page.css': file('text/css', page),
  })
}
