import { Type } from '@sinclair/typebox'
import { type Workflow, workflow } from '@trestle/core'
import { exactly } from './equal.ts'

const payloadSchema = Type.Object({ id: Type.String(), total: Type.Optional(Type.Number()) })
const controlSchema = Type.Object({ title: Type.String({ default: 'T' }) }, { additionalProperties: false })
const outputSchema = Type.Object({ count: Type.Number() })

const order = workflow(
  'order',
  async ({ step, payload, controls }) => {
    exactly<string>()(payload.id)
    exactly<number | undefined>()(payload.total)
    // @ts-expect-error an id is text
    payload.id satisfies number
    exactly<string>()(controls.title)

    const result = await step.custom('find', () => ({ count: 1 }), { outputSchema })
    exactly<number>()(result.count)
    await step.sms('text', ({ title }) => ({ body: `${title satisfies string}` }), { controlSchema })
  },
  { payloadSchema, controlSchema },
)

order.trigger({ to: 'ada', payload: { id: '7' } })
// @ts-expect-error an id is text
order.trigger({ to: 'ada', payload: { id: 7 } })
order satisfies Workflow<{ id: string; total?: number }>
