import { type WorkflowDefinition, workflow } from '@trestle/core'
import { z } from 'zod'

/** Counts runs of user code; a health check must not change the count. */
export const runs = { workflow: 0, handler: 0 }

/** Accepts any payload and returns it, so that tests can check what arrived. */
export const echo = workflow('echo', async ({ step, payload, subscriber, env, context, actor }) => {
  runs.workflow++
  await step.custom('tell', (controls, { idempotencyKey }) => {
    runs.handler++
    return { payload, controls, subscriber, env, context, actor: actor ?? null, idempotencyKey }
  })
})

/** An inbox message, a wait, and an email that is skipped if the message was read. */
export const order = workflow(
  'order',
  async ({ step, payload }) => {
    const inbox = await step.inApp('inbox', () => ({ body: `Order ${payload.id}` }))
    await step.delay('wait', () => ({ amount: 1, unit: 'hours' }))
    await step.email('mail', ({ subject }) => ({ subject, body: `<p>Order ${payload.id}</p>` }), {
      controlSchema: z.object({ subject: z.string().default('Order {{ payload.id }}') }),
      skip: () => inbox.read,
      providers: { sendgrid: ({ outputs }) => ({ ipPoolName: outputs.subject }) },
    })
  },
  {
    name: 'Order',
    description: 'An order is on its way.',
    tags: ['orders'],
    severity: 'high',
    preferences: { all: { enabled: true, readOnly: true }, channels: { email: { enabled: false } } },
    payloadSchema: z.object({ id: z.string() }),
  },
)

/** Two parallel steps, then a conditional one. */
export const branches = workflow(
  'branches',
  async ({ step, payload }) => {
    await Promise.all([
      step.push('left', () => ({ subject: 'left', body: 'left' })),
      step.chat('right', () => ({ body: 'right' })),
    ])
    if (payload.urgent) await step.sms('urgent', () => ({ body: 'urgent' }))
  },
  {
    payloadSchema: {
      type: 'object',
      properties: { urgent: { type: 'boolean' } },
      required: ['urgent'],
      additionalProperties: false,
    },
  },
)

/** One step of every kind, each with the results of the previous ones. */
export const everyKind = workflow('every-kind', async ({ step }) => {
  const inbox = await step.inApp('in-app', () => ({ body: 'b' }))
  const digest = await step.digest('digest', () => ({ amount: 1, unit: 'days' }))
  const delay = await step.delay('delay', () => ({ amount: 1, unit: 'days' }))
  const throttle = await step.throttle('throttle', () => ({ type: 'fixed', amount: 1, unit: 'hours', threshold: 3 }))
  const mail = await step.email('email', () => ({ subject: 's', body: 'b' }))
  await step.sms('sms', () => ({ body: 'b' }))
  await step.push('push', () => ({ subject: 's', body: 'b' }))
  await step.chat('chat', () => ({ body: 'b' }))
  await step.tool('tool', () => ({ body: 'b' }))
  const fetched = await step.httpRequest('http-request', () => ({ rate: 2 }))
  await step.custom('seen', () => ({ inbox, digest, delay, throttle, mail, fetched }))
})

/** The workflows of all bridges of the suite, unless a case overrides them. */
export const workflows: readonly WorkflowDefinition[] = [echo, order, branches, everyKind]

/** An event with every part. */
export const event = { payload: {}, controls: {}, state: [], subscriber: {} } as const

/** The query for a call to the echo workflow. */
export const echoQuery = { action: 'execute', workflowId: 'echo', stepId: 'tell' } as const

/** Creates the stored result of an earlier step. */
export function stored(stepId: string, outputs: unknown = {}, status = 'completed'): object {
  return { stepId, outputs, state: { status } }
}
