import { CronExpression, workflow } from '@novu/framework'
import { z } from 'zod'

// A project that uses the legacy package. It runs before and after the migration.

export const orderShipped = workflow(
  'order-shipped',
  async ({ step, payload, subscriber }) => {
    const inbox = await step.inApp(
      'inbox',
      async (controls) => ({
        subject: controls.title,
        body: `Order ${payload.id} for ${subscriber.firstName}`,
        avatar: 'https://pics.test/a.png',
        primaryAction: { label: 'Look', redirect: { url: '/orders', target: '_self' } },
        data: { id: payload.id },
      }),
      { controlSchema: z.object({ title: z.string().default('Order {{payload.id}}') }) },
    )
    const digest = await step.digest('daily', async () => ({ cron: CronExpression.EVERY_1ST_DAY_OF_MONTH_AT_NOON }))
    await step.delay('wait', async () => ({ unit: 'hours', amount: 2 }))
    await step.email(
      'mail',
      async (controls) => ({
        subject: controls.subject,
        body: `<p>${payload.items.length} of ${digest.events.length}, seen: ${inbox.seen}</p>`,
      }),
      {
        controlSchema: z.object({
          subject: z.string().default('Hello {{subscriber.firstName}}'),
          count: z.number().default(1),
        }),
        skip: (controls) => controls.count === 0,
        providers: { sendgrid: ({ outputs }) => ({ ipPoolName: outputs.subject }) },
      },
    )
    await step.push('push', async () => ({ subject: 'On its way', body: payload.id }))
    await step.chat('chat', async () => ({ body: payload.id }))
    await step.sms('text', async () => ({ body: payload.id }))
  },
  {
    name: 'Order shipped',
    description: 'An order is on its way.',
    tags: ['orders'],
    payloadSchema: z.object({ id: z.string(), items: z.array(z.string()).default([]) }),
    preferences: { all: { enabled: true, readOnly: false }, channels: { inApp: { enabled: false } } },
  },
)

export const checks = workflow(
  'checks',
  async ({ step, payload }) => {
    const lookUp = await step.custom('look-up', async () => ({ rate: payload.amount * 2 }), {
      outputSchema: {
        type: 'object',
        properties: { rate: { type: 'number' } },
        required: ['rate'],
        additionalProperties: false,
      },
    })
    const limit = await step.throttle('limit', async () => ({ type: 'fixed', amount: 1, unit: 'hours', threshold: 3 }))
    await step.sms('tell', async () => ({ body: `${lookUp.rate} ${limit.throttled}` }))
    await step.sms('breaks', async () => {
      throw new Error('no such line')
    })
  },
  {
    payloadSchema: {
      type: 'object',
      properties: { amount: { type: 'integer' } },
      required: ['amount'],
      additionalProperties: false,
    },
  },
)
