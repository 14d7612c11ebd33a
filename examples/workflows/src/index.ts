import { escapeHtml, workflow } from '@trestle/core'
import { z } from 'zod'

// When an order is shipped, sends an in-app message immediately, and an email an hour later if the message has not been
// read.
const orderShipped = workflow(
  'order-shipped',
  async ({ step, payload }) => {
    const inbox = await step.inApp('inbox', () => ({
      subject: `Order ${payload.orderId} is on its way`,
      body: `${payload.items.length} items, sent with ${payload.carrier}.`,
      redirect: { url: payload.trackingUrl },
    }))

    await step.delay('wait', () => ({ amount: 1, unit: 'hours' }))

    await step.email(
      'email',
      ({ subject, closing }) => ({
        subject,
        body: `
          <h1>Your order is on its way</h1>
          <ul>${payload.items.map((item) => `<li>${item.quantity} x ${escapeHtml(item.name)}</li>`).join('')}</ul>
          <p><a href="${escapeHtml(payload.trackingUrl)}">Follow it</a></p>
          <p>${escapeHtml(closing)}</p>`,
      }),
      {
        controlSchema: z.object({
          subject: z.string().default('Your order {{ payload.orderId }} is on its way'),
          closing: z.string().default('Thank you, {{ subscriber.firstName | default: "and see you soon" }}.'),
        }),
        skip: () => inbox.read,
      },
    )
  },
  {
    name: 'Order shipped',
    tags: ['orders'],
    payloadSchema: z.object({
      orderId: z.string(),
      carrier: z.enum(['post', 'courier']),
      trackingUrl: z.url(),
      items: z.array(z.object({ name: z.string(), quantity: z.int().positive() })),
    }),
  },
)

// Comments on a post, collected for ten minutes and sent as one email.
const commentDigest = workflow(
  'comment-digest',
  async ({ step, payload }) => {
    const { events } = await step.digest('collect', () => ({ amount: 10, unit: 'minutes', digestKey: payload.postId }))

    await step.email(
      'summary',
      ({ subject }) => ({
        subject,
        body: `<ul>${events.map(({ payload: comment }) => `<li>${escapeHtml(`${comment['author']}: ${comment['text']}`)}</li>`).join('')}</ul>`,
      }),
      {
        controlSchema: {
          type: 'object',
          properties: {
            subject: {
              type: 'string',
              default: '{{ steps.collect.events.size }} new comments on {{ payload.postTitle }}',
            },
          },
          required: ['subject'],
          additionalProperties: false,
        },
      },
    )
  },
  {
    name: 'Comment digest',
    tags: ['social'],
    preferences: { channels: { email: { enabled: true } } },
    // Any kind of schema works: this one is plain JSON Schema, and types the payload just as well.
    payloadSchema: {
      type: 'object',
      properties: {
        postId: { type: 'string' },
        postTitle: { type: 'string' },
        author: { type: 'string' },
        text: { type: 'string' },
      },
      required: ['postId', 'postTitle', 'author', 'text'],
      additionalProperties: false,
    },
  },
)

// A sign-in code. Subscribers cannot disable this workflow.
const signInCode = workflow(
  'sign-in-code',
  async ({ step, payload }) => {
    await step.sms('code', ({ text }) => ({ body: text }), {
      controlSchema: z.object({
        text: z.string().default('{{ payload.code }} is your code. It is valid for {{ payload.minutes }} minutes.'),
      }),
      providers: {
        twilio: ({ outputs }) => ({
          body: outputs.body,
          _passthrough: { body: { validityPeriod: payload.minutes * 60 } },
        }),
      },
    })
  },
  {
    name: 'Sign-in code',
    severity: 'high',
    preferences: { all: { enabled: true, readOnly: true } },
    payloadSchema: z.object({ code: z.string().regex(/^\d{6}$/), minutes: z.int().default(5) }),
  },
)

export const workflows = [orderShipped, commentDigest, signInCode]
