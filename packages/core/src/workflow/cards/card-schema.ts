import type { JsonObject } from '@trestle/protocol'
import { closed, text } from '../../schema/object-schema.ts'

const filled = { type: 'string', minLength: 1 }
const style = { enum: ['primary', 'danger', 'default'] }
const boolean = { type: 'boolean' }

const option = closed({ label: text, value: text, description: text }, ['label', 'value'])
const choice = {
  ...{ id: filled, label: text, options: { type: 'array', items: option, minItems: 1 } },
  ...{ initialOption: text, optional: boolean, placeholder: text },
}

const interactive = {
  oneOf: [
    closed({ type: { const: 'link-button' }, label: text, url: text, style, id: text }, ['type', 'label', 'url']),
    closed(
      {
        ...{ type: { const: 'button' }, id: filled, label: text, style, actionType: { enum: ['action', 'modal'] } },
        ...{ callbackUrl: text, value: text, disabled: boolean },
      },
      ['type', 'id', 'label'],
    ),
    closed({ type: { const: 'select' }, ...choice }, ['type', 'id', 'label', 'options']),
    closed({ type: { const: 'radio_select' }, ...choice }, ['type', 'id', 'label', 'options']),
  ],
}

const field = closed({ type: { const: 'field' }, label: text, value: text }, ['type', 'label', 'value'])

/** Returns the schema of a list of card parts. */
const list = (items: JsonObject): JsonObject => ({ type: 'array', items })

const flat = [
  closed({ type: { const: 'text' }, content: text, style: { enum: ['plain', 'bold', 'muted'] } }, ['type', 'content']),
  closed({ type: { const: 'image' }, url: text, alt: text }, ['type', 'url']),
  closed({ type: { const: 'divider' } }, ['type']),
  closed({ type: { const: 'link' }, label: text, url: text }, ['type', 'label', 'url']),
  closed({ type: { const: 'actions' }, children: list(interactive) }, ['type', 'children']),
  closed({ type: { const: 'fields' }, children: list(field) }, ['type', 'children']),
  closed(
    {
      ...{ type: { const: 'table' }, headers: list(text), rows: list(list(text)) },
      align: list({ enum: ['left', 'center', 'right'] }),
    },
    ['type', 'headers', 'rows'],
  ),
]

/** Returns the schemas of parts; a section can contain sections, which contain no others. */
function parts(levels: number): JsonObject {
  const section = (): JsonObject =>
    closed({ type: { const: 'section' }, children: list(parts(levels - 1)) }, ['type', 'children'])
  return { oneOf: levels > 0 ? [...flat, section()] : flat }
}

/** The shape of a card in a chat message. */
export const cardSchema: JsonObject = closed(
  { type: { const: 'card' }, title: text, subtitle: text, imageUrl: text, children: list(parts(2)) },
  ['type', 'children'],
)
