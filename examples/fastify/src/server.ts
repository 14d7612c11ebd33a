import { escapeHtml, workflow } from '@trestle/core'
import { serve } from '@trestle/fastify'
import Fastify from 'fastify'
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

const app = Fastify()
await app.register(serve({ workflows: [welcome] }), { prefix: '/api/bridge' })

const address = await app.listen({ port: Number(process.env['PORT'] ?? 4000) })
console.log(`The bridge is at ${address}/api/bridge`)
