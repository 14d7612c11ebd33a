import { serve as listen } from '@hono/node-server'
import { workflows } from '@trestle/example-workflows'
import { serve } from '@trestle/hono'
import { Hono } from 'hono'

const app = new Hono()

app.all('/api/bridge', serve({ workflows }))

listen({ fetch: app.fetch, port: Number(process.env['PORT'] ?? 4000) }, ({ port }) => {
  console.log(`The bridge is at http://localhost:${port}/api/bridge`)
})
