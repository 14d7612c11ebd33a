import { Body, Button, Column, Head, Heading, Html, Preview, Row, Section, Text } from '@react-email/components'
import { render } from '@react-email/render'
import { workflow } from '@trestle/core'
import { convert } from 'html-to-text'
import type { ReactElement } from 'react'
import { z } from 'zod'

const payloadSchema = z.object({
  orderId: z.string(),
  trackingUrl: z.url(),
  items: z.array(z.object({ name: z.string(), quantity: z.int().positive() })),
})

interface OrderMailProps {
  readonly order: z.output<typeof payloadSchema>
  readonly closing: string
}

// A component is an ordinary function: React escapes inserted values.
function OrderMail({ order, closing }: OrderMailProps): ReactElement {
  return (
    <Html lang="en">
      <Head />
      <Preview>{`${order.items.length} items are on their way`}</Preview>
      <Body style={{ fontFamily: 'sans-serif' }}>
        <Heading>Your order {order.orderId} is on its way</Heading>
        <Section>
          {order.items.map(({ name, quantity }) => (
            <Row key={name}>
              <Column>{quantity}</Column>
              <Column>{name}</Column>
            </Row>
          ))}
        </Section>
        <Button href={order.trackingUrl}>Follow it</Button>
        <Text>{closing}</Text>
      </Body>
    </Html>
  )
}

export const orderShipped = workflow(
  'order-shipped-react',
  async ({ step, payload }) => {
    await step.email(
      'email',
      async ({ subject, closing }) => ({
        subject,
        body: await render(<OrderMail order={payload} closing={closing} />),
      }),
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
  { payloadSchema },
)
