import { workflow } from '@trestle/core'
import { serve } from '@trestle/hono'
import { Hono } from 'hono'
import { z } from 'zod'
import { exactly } from './equal.ts'

// The example of the README, with no annotation, and what the compiler must know about it.
export const orderShipped = workflow(
  'order-shipped',
  async ({ step, payload }) => {
    const inbox = await step.inApp('tell', () => ({ body: `Order ${payload.id} is on its way` }))
    exactly<boolean>()(inbox.read)
    exactly<string | null>()(inbox.lastReadDate)
    exactly<string>()(inbox._ctx.state.status)
    // @ts-expect-error an inbox message has no such result
    inbox.opened
    const { duration } = await step.delay('wait', () => ({ amount: 1, unit: 'hours' }))
    exactly<number>()(duration)
    await step.email(
      'mail',
      (controls, { signal, idempotencyKey }) => {
        exactly<AbortSignal>()(signal)
        exactly<string>()(idempotencyKey)
        return { subject: controls.subject, body: `<p>Order ${payload.id} is on its way.</p>` }
      },
      {
        controlSchema: z.object({ subject: z.string().default('Your order {{ payload.id }}') }),
        skip: (controls, { subscriber }) => inbox.read || controls.subject === '' || subscriber.email === null,
      },
    )
    // @ts-expect-error there is no such unit
    await step.delay('wrong-unit', () => ({ amount: 1, unit: 'fortnights' }))
    // @ts-expect-error an email needs a body
    await step.email('no-body', () => ({ subject: 's' }))
    // @ts-expect-error skip must give a boolean
    await step.sms('skip', () => ({ body: 's' }), { skip: () => 'no' })
    // @ts-expect-error there is no such kind of step
    await step.fax('fax', () => ({}))
  },
  { payloadSchema: z.object({ id: z.string() }) },
)

const app = new Hono()
app.all('/api/bridge', serve({ workflows: [orderShipped] }))
export default app

export const wrong = [
  // @ts-expect-error a misspelt type
  () => workflow('w', async () => undefined, { payloadSchema: { type: 'strnig' } }),
  // @ts-expect-error a schema that is text
  () => workflow('w', async () => undefined, { payloadSchema: 'string' }),
  // @ts-expect-error a workflow that is none
  () => serve({ workflows: [{ id: 'x' }] }),
  // @ts-expect-error an option that there is not
  () => serve({ workflows: [], strict: true }),
]
