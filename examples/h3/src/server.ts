import { escapeHtml, workflow } from '@trestle/core'
import { serve } from '@trestle/h3'
import { H3, serve as listen } from 'h3'
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

const app = new H3().all('/api/bridge', serve({ workflows: [welcome] }))
const port = Number(process.env['PORT'] ?? 4000)

await listen(app, { port, silent: true }).ready()
console.log(`The bridge is at http://localhost:${port}/api/bridge`)
