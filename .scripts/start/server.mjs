import { serve as listen } from '@hono/node-server'
import { serve } from '@trestle/hono'
import { Hono } from 'hono'
import { customerWaits, support } from '../../examples/agent/dist/support.js'
import { workflows } from '../../examples/hono/dist/workflows.js'

// Of the one who runs it, not of a build.
const { env } = process

// The workflows of the Hono example and the agent of the other, in one app.

const app = new Hono()
app.all('/api/bridge', serve({ workflows: [...workflows, customerWaits], agents: [support] }))

listen({ fetch: app.fetch, port: Number(env.PORT), hostname: '127.0.0.1' })
