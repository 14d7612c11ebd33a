import { workflow } from '@trestle/core'
import { convert } from 'html-to-text'
import mjml2html from 'mjml'
import { z } from 'zod'

// MJML is plain text, so inserted values must be escaped.
const marks: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' }
const escaped = (text: string): string => text.replace(/[&<>"]/g, (mark) => marks[mark] ?? mark)

export const orderShipped = workflow(
  'order-shipped-mjml',
  async ({ step, payload }) => {
    await step.email(
      'email',
      async ({ subject, closing }) => {
        const rows = payload.items.map(({ name, quantity }) => `<tr><td>${quantity}</td><td>${escaped(name)}</td></tr>`)
        const { html } = await mjml2html(
          `<mjml>
            <mj-head><mj-preview>${escaped(subject)}</mj-preview></mj-head>
            <mj-body background-color="#f4f4f4">
              <mj-section background-color="#ffffff">
                <mj-column>
                  <mj-text font-size="20px">Your order ${escaped(payload.orderId)} is on its way</mj-text>
                  <mj-table>${rows.join('')}</mj-table>
                  <mj-button href="${escaped(payload.trackingUrl)}">Follow it</mj-button>
                  <mj-text>${escaped(closing)}</mj-text>
                </mj-column>
              </mj-section>
            </mj-body>
          </mjml>`,
          { validationLevel: 'strict' },
        )
        return { subject, body: html }
      },
      {
        controlSchema: z.object({
          subject: z.string().default('Your order {{ payload.orderId }} is on its way'),
          closing: z.string().default('Thank you, {{ subscriber.firstName | default: "and see you soon" }}.'),
        }),
        // The plain text is generated from the HTML, so the two never differ. MJML uses tables for layout.
        providers: { nodemailer: ({ outputs }) => ({ text: convert(outputs.body, { tables: true }) }) },
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
