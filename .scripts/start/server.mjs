import { serve as listen } from '@hono/node-server'
import { serve } from '@trestle/hono'
import { Hono } from 'hono'
import { customerWaits, support } from '../../examples/agent/dist/support.js'
import { routes } from '../../examples/inbox/dist/routes.js'
import { workflows as inboxWorkflows } from '../../examples/inbox/dist/workflows.js'
import { workflows } from '../../examples/workflows/dist/index.js'

// The environment of the person who runs the script, not of the build.
const { env } = process

// Serves the workflows of the Hono example, and the agent and the page of the other examples, in one app.

const app = new Hono()
app.all('/api/bridge', serve({ workflows: [...workflows, customerWaits, ...inboxWorkflows], agents: [support] }))
app.route('/', routes)

listen({ fetch: app.fetch, port: Number(env.PORT), hostname: '127.0.0.1' })
