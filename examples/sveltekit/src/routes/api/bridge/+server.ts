import { escapeHtml, workflow } from '@trestle/core'
import { serve } from '@trestle/sveltekit'
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

export const { GET, POST, OPTIONS, HEAD, PUT, PATCH, DELETE } = serve({ workflows: [welcome] })
