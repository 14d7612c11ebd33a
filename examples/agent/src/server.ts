import { serve as listen } from '@hono/node-server'
import { serve } from '@trestle/hono'
import { Hono } from 'hono'
import { customerWaits, support } from './support.ts'

const app = new Hono()
app.all('/api/bridge', serve({ agents: [support], workflows: [customerWaits] }))

listen({ fetch: app.fetch, port: Number(process.env['PORT'] ?? 4000) }, ({ port }) => {
  console.log(`The bridge is at http://127.0.0.1:${port}/api/bridge`)
})
