import type {
  Card,
  CardActions,
  CardButton,
  CardChild,
  CardDivider,
  CardFields,
  CardImage,
  CardLink,
  CardLinkButton,
  CardSection,
  CardSelect,
  CardTable,
  CardText,
} from './card.ts'

type Rest<TPart, TKeys extends keyof TPart> = Omit<TPart, TKeys | 'type'>

/**
 * Creates a card for a chat step. The builders only create the data; an object literal works just as well.
 *
 * @param head - Title, subtitle and image.
 * @param children - The parts, from top to bottom.
 * @example
 * card({ title: 'Order shipped' }, text('It is on its way.'), actions(linkButton('Track', url, { style: 'primary' })))
 */
export function card(head: Omit<Card, 'type' | 'children'>, ...children: readonly CardChild[]): Card {
  return { type: 'card', ...head, children }
}

/**
 * Creates a text.
 *
 * @example
 * card({ title: 'Order shipped' }, text('It is on its way.'))
 */
export function text(content: string, rest: Rest<CardText, 'content'> = {}): CardText {
  return { type: 'text', content, ...rest }
}

/**
 * A picture.
 *
 * @example
 * image('https://example.com/map.png', { alt: 'Where it is' })
 */
export function image(url: string, rest: Rest<CardImage, 'url'> = {}): CardImage {
  return { type: 'image', url, ...rest }
}

/**
 * Creates a line between parts.
 *
 * @example
 * card({}, text('Paid'), divider(), text('Shipped'))
 */
export function divider(): CardDivider {
  return { type: 'divider' }
}

/**
 * A link.
 *
 * @example
 * link('Your orders', 'https://example.com/orders')
 */
export function link(label: string, url: string): CardLink {
  return { type: 'link', label, url }
}

/**
 * Creates a row of buttons and lists, from left to right.
 *
 * @example
 * actions(button('approve', 'Approve'), linkButton('Details', 'https://example.com/orders/1'))
 */
export function actions(...children: CardActions['children']): CardActions {
  return { type: 'actions', children }
}

/**
 * Creates a button that opens a page.
 *
 * @example
 * linkButton('Track', 'https://example.com/track/1', { style: 'primary' })
 */
export function linkButton(
  label: string,
  url: string,
  rest: Rest<CardLinkButton, 'label' | 'url'> = {},
): CardLinkButton {
  return { type: 'link-button', label, url, ...rest }
}

/**
 * Creates a button whose clicks are reported with its id.
 *
 * @example
 * actions(button('approve', 'Approve', { style: 'primary' }), button('refuse', 'Refuse'))
 */
export function button(id: string, label: string, rest: Rest<CardButton, 'id' | 'label'> = {}): CardButton {
  return { type: 'button', id, label, ...rest }
}

/**
 * Creates a list to choose from.
 *
 * @example
 * select('size', 'Size', { options: [{ label: 'Small', value: 's' }, { label: 'Large', value: 'l' }] })
 */
export function select(id: string, label: string, rest: Rest<CardSelect, 'id' | 'label'>): CardSelect {
  return { type: 'select', id, label, ...rest }
}

/**
 * Creates a group of radio buttons.
 *
 * @example
 * radioSelect('when', 'When', { options: [{ label: 'Today', value: 'today' }, { label: 'Later', value: 'later' }] })
 */
export function radioSelect(id: string, label: string, rest: Rest<CardSelect, 'id' | 'label'>): CardSelect {
  return { type: 'radio_select', id, label, ...rest }
}

/**
 * Creates labels with their values, side by side.
 *
 * @example
 * fields({ Order: '1042', Total: '12.50 EUR' })
 */
export function fields(values: Readonly<Record<string, string>>): CardFields {
  return {
    type: 'fields',
    children: Object.entries(values).map(([label, value]) => ({ type: 'field', label, value })),
  }
}

/**
 * A table.
 *
 * @example
 * table(['Item', 'Count'], [['Tea', '2'], ['Cups', '6']])
 */
export function table(
  headers: readonly string[],
  rows: CardTable['rows'],
  rest: Rest<CardTable, 'headers' | 'rows'> = {},
): CardTable {
  return { type: 'table', headers, rows, ...rest }
}

/**
 * Groups related parts.
 *
 * @example
 * section(text('Shipped'), fields({ Carrier: 'Post' }))
 */
export function section(...children: readonly CardChild[]): CardSection {
  return { type: 'section', children }
}
