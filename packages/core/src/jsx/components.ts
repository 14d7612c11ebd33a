import type {
  CardChild,
  Card as CardData,
  CardDivider,
  CardField,
  CardFields,
  CardImage,
  CardLink,
  CardSection,
  CardTable,
  CardText,
} from '../workflow/cards/card.ts'
import { type Accepted, toParts, toText } from './children.ts'
import { type Attributes, type Children, part } from './part.ts'

const parts: Accepted = {
  types: ['text', 'image', 'divider', 'link', 'actions', 'fields', 'table', 'section'],
  tags: '<Text>, <Image>, <Divider>, <Link>, <Actions>, <Fields>, <Table> and <Section>',
}
/**
 * Creates a card.
 *
 * @example
 * <Card title="Order shipped"><Text>It is on its way.</Text></Card>
 */
export function Card({ children, ...rest }: Attributes<CardData, 'children'> & Children): CardData {
  return part({ type: 'card', ...rest, children: toParts<CardChild>('Card', children, parts) })
}

/**
 * Groups related parts.
 *
 * @example
 * <Section><Text style="bold">Paid</Text><Divider /></Section>
 */
export function Section({ children, ...rest }: Children): CardSection {
  return part({ type: 'section', ...rest, children: toParts<CardChild>('Section', children, parts) })
}

/**
 * Creates a text.
 *
 * @example
 * <Text style="muted">Order {id} is on its way.</Text>
 */
export function Text({ children, ...rest }: Attributes<CardText, 'content'> & Children): CardText {
  return part({ type: 'text', content: toText('Text', children), ...rest })
}

/**
 * Creates an image.
 *
 * @example
 * <Image url="https://example.com/map.png" alt="Where it is" />
 */
export function Image(attributes: Attributes<CardImage>): CardImage {
  return part({ type: 'image', ...attributes })
}

/**
 * Creates a line between parts.
 *
 * @example
 * <Divider />
 */
export function Divider(attributes: Record<never, never>): CardDivider {
  return part({ type: 'divider', ...attributes })
}

/**
 * Creates a link.
 *
 * @example
 * <Link url="https://example.com/orders">Your orders</Link>
 */
export function Link({ children, ...rest }: Attributes<CardLink, 'label'> & Children): CardLink {
  return part({ type: 'link', label: toText('Link', children), ...rest })
}

/**
 * Creates labels with their values, side by side.
 *
 * @example
 * <Fields><Field label="Order">1042</Field><Field label="Total">{total} EUR</Field></Fields>
 */
export function Fields({ children, ...rest }: Children): CardFields {
  const accepted = { types: ['field'], tags: '<Field>' }
  return part({ type: 'fields', ...rest, children: toParts<CardField>('Fields', children, accepted) })
}

/**
 * Creates a label with its value.
 *
 * @example
 * <Field label="Order">1042</Field>
 */
export function Field({ children, ...rest }: Attributes<CardField, 'value'> & Children): CardField {
  return part({ type: 'field', ...rest, value: toText('Field', children) })
}

/**
 * Creates a table.
 *
 * @example
 * <Table headers={['Item', 'Count']} rows={[['Tea', '2'], ['Cups', '6']]} align={['left', 'right']} />
 */
export function Table(attributes: Attributes<CardTable>): CardTable {
  return part({ type: 'table', ...attributes })
}
