import { workflow } from '@trestle/core'

workflow('order', async ({ step }) => {
  await step.email('mail', () => ({ subject: 's', body: 'b' }), {
    providers: {
      sendgrid: ({ outputs }) => ({
        subject: outputs.subject,
        categories: ['a'],
        _passthrough: { headers: { a: 'b' } },
      }),
      resend: () => ({ anything: [1], _passthrough: { body: {} } }),
      'novu-email': () => ({ _passthrough: { query: { a: 'b' } } }),
    },
  })
  await step.sms('text', () => ({ body: 'b' }), {
    providers: { twilio: ({ outputs }) => ({ body: outputs.body, maxPrice: 1 }) },
  })
  await step.email('typo', () => ({ subject: 's', body: 'b' }), {
    // @ts-expect-error no channel has such a provider
    providers: { sendgrit: () => ({}) },
  })
  await step.email('channel', () => ({ subject: 's', body: 'b' }), {
    // @ts-expect-error a provider of another channel
    providers: { twilio: () => ({}) },
  })
  await step.sms('field', () => ({ body: 'b' }), {
    // @ts-expect-error a price is a number
    providers: { twilio: () => ({ maxPrice: 'much' }) },
  })
  await step.chat('block', () => ({ body: 'b' }), {
    // @ts-expect-error a block has a type
    providers: { slack: () => ({ blocks: [{}] }) },
  })
  await step.email('past', () => ({ subject: 's', body: 'b' }), {
    // @ts-expect-error headers are texts
    providers: { resend: () => ({ _passthrough: { headers: { a: 1 } } }) },
  })
  await step.email('outputs', () => ({ subject: 's', body: 'b' }), {
    // @ts-expect-error an email has no such field
    providers: { resend: ({ outputs }) => ({ text: outputs.text }) },
  })
})
