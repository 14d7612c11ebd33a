import Router from '@koa/router'
import { escapeHtml, workflow } from '@trestle/core'
import { serve } from '@trestle/koa'
import Koa from 'koa'
import { z } from 'zod'

const welcome = workflow(
  'welcome',
  async ({ step, payload }) => {
    await step.email('hello', () => ({
      subject: `Welcome, ${payload.name}`,
      body: `<p>Good to have you here, ${escapeHtml(payload.name)}.</p>`,
    }))
  },
  { payloadSchema: z.object({ name: z.string() }) },
)

const router = new Router()
router.all('/api/bridge', serve({ workflows: [welcome] }))

const port = Number(process.env['PORT'] ?? 4000)
new Koa().use(router.routes()).listen(port, () => console.log(`The bridge is at http://localhost:${port}/api/bridge`))
