import { type Workflow, workflow } from '@trestle/core'
import { z } from 'zod'
import { exactly } from './equal.ts'

const payloadSchema = z.object({ id: z.string(), kind: z.enum(['new', 'old']), total: z.number().optional() })
const controlSchema = z.object({ title: z.string().default('T') })
const outputSchema = z.object({ count: z.number() })

const order = workflow(
  'order',
  async ({ step, payload, controls }) => {
    exactly<string>()(payload.id)
    exactly<'new' | 'old'>()(payload.kind)
    exactly<number | undefined>()(payload.total)
    // @ts-expect-error there is no such field
    payload.nope
    // @ts-expect-error an id is text
    payload.id satisfies number
    exactly<string>()(controls.title)

    const result = await step.custom('find', () => ({ count: 1 }), { outputSchema })
    exactly<number>()(result.count)
    // @ts-expect-error there is no such result
    result.nope

    await step.email('mail', (own) => ({ subject: own.title, body: `<p>${payload.id}</p>` }), {
      controlSchema,
      skip: (own) => own.title === '',
      providers: { sendgrid: ({ controls: own, outputs }) => ({ categories: [own.title, outputs.subject] }) },
    })
    // @ts-expect-error the result has another form
    await step.custom('wrong', () => ({ count: 'one' }), { outputSchema })
    // @ts-expect-error there is no such control
    await step.sms('text', (own) => ({ body: own.nope }), { controlSchema })
  },
  { payloadSchema, controlSchema },
)

// Trigger data: the input type, in which a field with a default can be omitted.
type Sent = typeof order extends Workflow<infer TPayload> ? TPayload : never
export const sent: Sent = { id: 'o-1', kind: 'new' }
// @ts-expect-error the id is missing
export const missing: Sent = { kind: 'new' }
// @ts-expect-error there is no such kind
export const unknown: Sent = { id: 'o-1', kind: 'other' }
