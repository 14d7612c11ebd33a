import type { CardActions, CardButton, CardLinkButton, CardOption, CardSelect } from '../workflow/cards/card.ts'
import { type Accepted, toParts, toText } from './children.ts'
import { type Attributes, type Children, part } from './part.ts'

const interactive: Accepted = {
  types: ['link-button', 'button', 'select', 'radio_select'],
  tags: '<LinkButton>, <Button>, <Select> and <RadioSelect>',
}

/**
 * Creates a row of buttons and lists.
 *
 * @example
 * <Actions><Button id="approve" style="primary">Approve</Button><Button id="refuse">Refuse</Button></Actions>
 */
export function Actions({ children, ...rest }: Children): CardActions {
  return part({
    type: 'actions',
    ...rest,
    children: toParts<CardActions['children'][number]>('Actions', children, interactive),
  })
}

/**
 * Creates a button that opens a page.
 *
 * @example
 * <LinkButton url="https://example.com/track/1" style="primary">Track</LinkButton>
 */
export function LinkButton({ children, ...rest }: Attributes<CardLinkButton, 'label'> & Children): CardLinkButton {
  return part({ type: 'link-button', label: toText('LinkButton', children), ...rest })
}

/**
 * Creates a button whose clicks are reported with its id.
 *
 * @example
 * <Button id="approve" value={order.id}>Approve</Button>
 */
export function Button({ children, ...rest }: Attributes<CardButton, 'label'> & Children): CardButton {
  return part({ type: 'button', label: toText('Button', children), ...rest })
}

/**
 * Creates a list to choose from.
 *
 * @example
 * <Select id="size" label="Size"><Option value="s">Small</Option><Option value="l">Large</Option></Select>
 */
export function Select({ children, ...rest }: Attributes<CardSelect, 'options'> & Children): CardSelect {
  return part({ type: 'select', ...rest, options: toOptions('Select', children) })
}

/**
 * Creates a group of radio buttons.
 *
 * @example
 * <RadioSelect id="when" label="When"><Option value="today">Today</Option></RadioSelect>
 */
export function RadioSelect({ children, ...rest }: Attributes<CardSelect, 'options'> & Children): CardSelect {
  return part({ type: 'radio_select', ...rest, options: toOptions('RadioSelect', children) })
}

/** An option, which is only allowed in a list or group. */
export interface OptionPart extends CardOption {
  /** Identifies the part; it is not sent. */
  readonly type: 'option'
}

/**
 * Creates an option of a `Select` or `RadioSelect`.
 *
 * @example
 * <Option value="s" description="Up to 1 kg">Small</Option>
 */
export function Option({ children, ...rest }: Attributes<CardOption, 'label'> & Children): OptionPart {
  return part({ type: 'option', label: toText('Option', children), ...rest })
}

function toOptions(tag: string, children: unknown): readonly CardOption[] {
  const parts = toParts<OptionPart>(tag, children, { types: ['option'], tags: '<Option>' })
  return parts.map(({ type: _, ...option }) => option)
}
