import { once } from 'node:events'
import { createServer, type RequestListener } from 'node:http'
import type { AddressInfo } from 'node:net'
import { getRequestListener } from '@hono/node-server'
import { serve } from '@trestle/hono'
import { Hono } from 'hono'
import { secureHeaders } from 'hono/secure-headers'
import { timing } from 'hono/timing'
import { getRequestListener as getListenerOf1 } from 'hono-node-server-1'
import { expect, test } from 'vitest'
import { secret, send } from './call.ts'
import { closeServer, mountListener } from './mounts/node.ts'

// On Node, Hono's server passes a reply's own headers to middleware, which may change them.
const listeners: readonly (readonly [string, (app: Hono) => RequestListener])[] = [
  ['with the server known', (app) => getRequestListener(app.fetch)],
  ['with the request alone', (app) => getRequestListener((request) => app.fetch(request))],
  ['by version 1 of the server', (app) => getListenerOf1(app.fetch)],
]

test.each(listeners)(
  'headers that middleware adds to one response are in no other response, %s',
  async (_name, toListener) => {
    const app = new Hono()
    app.use('/changed', secureHeaders(), timing(), async (context, next) => {
      await next()
      // Set on the reply itself, because `context.header` would create a new reply.
      context.res.headers.append('set-cookie', 'session=ada')
    })
    for (const path of ['/changed', '/other']) app.all(path, serve({}))
    const server = createServer(toListener(app)).listen(0, '127.0.0.1')
    await once(server, 'listening')
    const address = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
    const headersOf = async (path: string): Promise<Headers> => (await fetch(address + path)).headers
    try {
      for (let call = 0; call < 3; call++) expect((await headersOf('/changed')).get('set-cookie')).toBe('session=ada')
      const other = await headersOf('/other')
      for (const name of ['set-cookie', 'server-timing', 'x-frame-options']) expect(other.get(name)).toBeNull()
      expect(other.get('content-type')).toBe('application/json; charset=utf-8')
    } finally {
      await closeServer(server)
    }
  },
)

test.each(listeners)('a body that middleware read from the raw request is reported, %s', async (_name, toListener) => {
  const app = new Hono()
  app.use(async ({ req }, next) => {
    await req.raw.text()
    await next()
  })
  app.all('/api/bridge', serve({ secretKey: secret }))
  const { url, close } = await mountListener(toListener(app))
  const query = { action: 'execute', workflowId: 'w', stepId: 's' }
  const { status, json } = await send(url, { query, body: {} })
  await close()
  expect([status, json.message]).toEqual([401, expect.stringContaining('must read a copy')])
})
