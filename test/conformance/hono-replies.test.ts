import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { getRequestListener } from '@hono/node-server'
import { serve } from '@trestle/hono'
import { Hono } from 'hono'
import { secureHeaders } from 'hono/secure-headers'
import { timing } from 'hono/timing'
import { expect, test } from 'vitest'
import { closeServer } from './mounts/node.ts'

// On Node, Hono's server hands a reply's own headers to the middlewares, which may change them.
test('what a middleware adds to one reply is in no other', async () => {
  const app = new Hono()
  app.use('/changed', secureHeaders(), timing(), async (context, next) => {
    await next()
    // On the reply itself: `context.header` would make another.
    context.res.headers.append('set-cookie', 'session=ada')
  })
  for (const path of ['/changed', '/other']) app.all(path, serve({}))
  const server = createServer(getRequestListener(app.fetch)).listen(0, '127.0.0.1')
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
})
