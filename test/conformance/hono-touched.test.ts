import { getRequestListener } from '@hono/node-server'
import { serve } from '@trestle/hono'
import { Hono } from 'hono'
import { getRequestListener as getListenerOf1 } from 'hono-node-server-1'
import { keptConnections } from './cases/kept-connections.ts'
import { mountListener } from './mounts/node.ts'

// Reading the body creates a stream that fills up and then blocks the connection, as with Hono's `bodyLimit`.
for (const [name, toListener] of [
  ['Hono, after c.req.raw.body', getRequestListener],
  ['Hono on @hono/node-server 1, after c.req.raw.body', getListenerOf1 as typeof getRequestListener],
] as const)
  keptConnections({
    name,
    body: 'stream',
    inFront: {},
    mount(options) {
      const app = new Hono()
      app.use(async ({ req }, next) => {
        if (req.method === 'GET' || req.raw.body) await next()
      })
      app.all('/api/bridge', serve(options))
      return mountListener(toListener(app.fetch))
    },
  })
