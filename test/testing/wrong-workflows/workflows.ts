import { escapeHtml, workflow } from '@trestle/core'
import { z } from 'zod'

// A due invoice: in the inbox immediately, two days later by email unless it was read, large ones by SMS.
export const invoiceDue = workflow(
  'invoice-due',
  async ({ step, payload, subscriber }) => {
    const { paid, cents } = await step.custom('look-up', () => lookUp(payload.number), {
      outputSchema: z.object({ paid: z.boolean().optional(), cents: z.number().optional() }),
    })
    if (paid || cents === undefined) return
    const total = `${(cents / 100).toFixed(2)} EUR`

    const inbox = await step.inApp('inbox', () => ({
      subject: `Invoice ${payload.number} is due`,
      body: `${total}, please.`,
      redirect: { url: `https://shop.test/invoices/${payload.number}` },
    }))

    await step.delay('wait', () => ({ amount: 2, unit: 'days' }))

    await step.email(
      'mail',
      ({ subject, closing }) => ({
        subject,
        body: `<p>Dear ${escapeHtml(subscriber.firstName ?? 'customer')}, ${total} are due.</p><p>${closing}</p>`,
        replyTo: 'billing@shop.test',
      }),
      {
        controlSchema: z.object({
          subject: z.string().default('Please pay invoice {{ payload.number }}'),
          closing: z.string().default('Thank you.'),
        }),
        skip: () => inbox.read,
        providers: { sendgrid: () => ({ ipPoolName: 'billing' }) },
      },
    )

    await step.sms('text', () => ({ body: `${total} for invoice ${payload.number} are due.` }), {
      skip: () => cents < 10_000,
    })
  },
  {
    payloadSchema: z.object({ number: z.string() }),
  },
)

// Comments on a post: one email per ten minutes, and at most two per day.
export const comments = workflow(
  'comments',
  async ({ step, payload, actor }) => {
    const { events } = await step.digest('collect', () => ({ amount: 10, unit: 'minutes', digestKey: payload.post }))
    await step.throttle('limit', () => ({ type: 'fixed', amount: 1, unit: 'days', threshold: 2 }))
    const lines = events.map(({ payload: comment }) => `<li>${escapeHtml(String(comment['text']))}</li>`)
    await step.email('mail', () => ({
      subject: `${events.length} ${events.length === 1 ? 'comment' : 'comments'} on ${payload.post}`,
      body: `<ul>${lines.join('')}</ul>`,
      from: { name: actor?.firstName ?? 'The blog' },
    }))
  },
  { payloadSchema: z.object({ post: z.string(), text: z.string() }) },
)

async function lookUp(number: string): Promise<{ readonly paid: boolean; readonly cents: number }> {
  const response = await fetch(`https://billing.test/invoices/${number}`)
  return (await response.json()) as { readonly paid: boolean; readonly cents: number }
}
