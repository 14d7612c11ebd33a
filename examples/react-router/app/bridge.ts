import { escapeHtml, workflow } from '@trestle/core'
import { serve } from '@trestle/react-router'
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

const bridge = serve({ workflows: [welcome] })

export const loader = bridge.loader
export const action = bridge.action
