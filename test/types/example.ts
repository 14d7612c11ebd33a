import { isCodedError, workflow } from '@trestle/core'
import { serve } from '@trestle/hono'
import { Hono } from 'hono'
import { z } from 'zod'
import { exactly } from './equal.ts'

// The example from the README without annotations, and the types that the compiler must infer.
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
    const digest = await step.digest('collect', () => ({ cron: '0 9 * * *' }))
    exactly<string | undefined>()(digest.events[0]?.payload.id)
    // Functions that accept any list, or sort it, need no copy.
    const listed = ((events: unknown[]) => events.length)(digest.events)
    digest.events.sort((left, right) => left.time.localeCompare(right.time)).slice(0, listed)
    const result = await step.custom('find', async () => ({ count: 1, at: new Date(), list: [{ id: 'a' }] }))
    exactly<number>()(result.count)
    exactly<string>()(result.at)
    exactly<string | undefined>()(result.list[0]?.id)
    // @ts-expect-error there is no such result
    result.nope
    const avatar = payload.id === '' ? undefined : 'https://example.com/a.png'
    await step.inApp('maybe', async () => ({ body: 'b', avatar, redirect: undefined }))
    // @ts-expect-error there is no such unit
    await step.delay('wrong-unit', () => ({ amount: 1, unit: 'fortnights' }))
    // @ts-expect-error an email needs a body
    await step.email('no-body', () => ({ subject: 's' }))
    // @ts-expect-error an email has no such field
    await step.email('other-field', () => ({ subject: 's', body: 'b', html: '<p>' }))
    // @ts-expect-error nor from an asynchronous handler
    await step.email('other-field', async () => ({ subject: 's', body: 'b', html: '<p>' }))
    // @ts-expect-error a digest has no such field
    await step.digest('other-field', () => ({ amount: 1, unit: 'hours', key: 'k' }))
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

export const narrowed = (error: unknown): number => {
  if (isCodedError(error, 'PayloadTooLarge')) {
    exactly<'PayloadTooLarge'>()(error.code)
    // @ts-expect-error it is that code and no other
    return error.code === 'BridgeError' ? 0 : 1
  }
  return isCodedError(error) && error.code === 'BridgeError' ? 2 : 3
}
