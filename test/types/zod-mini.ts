import { workflow } from '@trestle/core'
import * as z from 'zod/mini'
import type { Equal } from './equal.ts'

const order = z.object({ id: z.string(), count: z._default(z.number(), 1) })

workflow(
  'order',
  async ({ step, payload }) => {
    const isTyped: Equal<typeof payload, { id: string; count: number }> = true
    await step.sms('text', ({ text }) => ({ body: `${text} ${isTyped}` }), {
      controlSchema: z.toJSONSchema(z.object({ text: z.string() }), { io: 'input' }),
    })
  },
  { payloadSchema: z.toJSONSchema(order, { io: 'input' }) },
)
