import { serve as listen } from '@hono/node-server'
import { serve } from '@trestle/hono'
import { Hono } from 'hono'
import { routes } from './routes.ts'
import { workflows } from './workflows.ts'

const app = new Hono()

app.all('/api/bridge', serve({ workflows }))
app.route('/', routes)

listen({ fetch: app.fetch, port: Number(process.env['PORT'] ?? 4000) }, ({ port }) => {
  console.log(`The page is at http://localhost:${port}/, the bridge at http://localhost:${port}/api/bridge`)
})
