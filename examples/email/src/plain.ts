import { workflow } from '@trestle/core'
import { convert } from 'html-to-text'
import { z } from 'zod'

// A template tag for HTML: inserted values are treated as text, unless `html` created them.
class Html {
  readonly source: string
  constructor(source: string) {
    this.source = source
  }
}

const marks: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#39;' }

function html(strings: TemplateStringsArray, ...values: readonly unknown[]): Html {
  const write = (value: unknown): string => {
    if (Array.isArray(value)) return value.map(write).join('')
    return value instanceof Html ? value.source : String(value).replace(/[&<>"']/g, (mark) => marks[mark] ?? mark)
  }
  return new Html(strings.map((text, index) => (index === 0 ? text : write(values[index - 1]) + text)).join(''))
}

export const orderShipped = workflow(
  'order-shipped-plain',
  async ({ step, payload }) => {
    await step.email(
      'email',
      ({ subject, closing }) => {
        const { source: body } = html`<!DOCTYPE html>
<html lang="en">
  <body style="font-family: sans-serif">
    <h1>Your order ${payload.orderId} is on its way</h1>
    <ul>${payload.items.map(({ name, quantity }) => html`<li>${quantity} x ${name}</li>`)}</ul>
    <p><a href="${payload.trackingUrl}">Follow it</a></p>
    <p>${closing}</p>
  </body>
</html>`
        return { subject, body }
      },
      {
        controlSchema: z.object({
          subject: z.string().default('Your order {{ payload.orderId }} is on its way'),
          closing: z.string().default('Thank you, {{ subscriber.firstName | default: "and see you soon" }}.'),
        }),
        // The plain text is generated from the HTML, so the two never differ.
        providers: { nodemailer: ({ outputs }) => ({ text: convert(outputs.body) }) },
      },
    )
  },
  {
    payloadSchema: z.object({
      orderId: z.string(),
      trackingUrl: z.url(),
      items: z.array(z.object({ name: z.string(), quantity: z.int().positive() })),
    }),
  },
)
