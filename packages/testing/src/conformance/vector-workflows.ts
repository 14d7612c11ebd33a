import { type WorkflowDefinition, workflow } from '@trestle/core'

const greeting = workflow(
  'greeting',
  async ({ step, payload }) => {
    const { visits = 'no' } = await step.custom('lookup', () => ({ visits: 3 }))
    await step.email('mail', ({ subject }) => ({ subject, body: `<p>${visits} visits</p>` }), {
      controlSchema: {
        type: 'object',
        properties: { subject: { type: 'string', default: 'Hello {{ payload.name }}' } },
        required: ['subject'],
        additionalProperties: false,
      },
      skip: () => payload.quiet === true,
    })
  },
  {
    payloadSchema: {
      type: 'object',
      properties: { name: { type: 'string' }, quiet: { type: 'boolean' } },
      required: ['name'],
      additionalProperties: false,
    },
  },
)

const failing = workflow('failing', async ({ step }) => {
  await step.custom('boom', () => {
    throw new Error('boom')
  })
})

const waiting = workflow('waiting', async ({ step }) => {
  const { events } = await step.digest('collect', () => ({ amount: 7, unit: 'days' }))
  await step.sms('summary', () => ({ body: `${events.length} events` }))
})

const together = workflow('together', async ({ step }) => {
  await Promise.all(['left', 'right'].map((side) => step.custom(side, () => ({ side }))))
})

/** The workflows that the golden vectors describe. */
export const vectorWorkflows: readonly WorkflowDefinition[] = Object.freeze([greeting, failing, waiting, together])
