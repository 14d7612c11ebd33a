import { describe, expect, test } from 'vitest'
import { compileSchema } from '../schema/compile-schema.ts'
import type { Schema } from '../schema/schema-types.ts'
import { stepKinds } from '../workflow/steps/step-kinds.ts'
import * as actionComponents from './action-components.ts'
import * as partComponents from './components.ts'
import { createElement, Fragment, jsx } from './jsx.ts'

const components = { ...actionComponents, ...partComponents }
const { Actions, Button, Card, Divider, Field, Fields, Image, Link, LinkButton, Option, Section, Select, Table, Text } =
  components
const chat = compileSchema(stepKinds.chat.output as Schema)
const tag = (type: unknown, props: object = {}, ...children: readonly unknown[]): object =>
  jsx(type, children.length > 0 ? { ...props, children: children.length === 1 ? children[0] : children } : props)

test('every component creates a part that the chat step schema accepts', async () => {
  const options = [tag(Option, { value: 'a', description: undefined }, 'A'), tag(Option, { value: 'b' }, 'B')]
  const choice = { id: 'pick', label: 'Pick' }
  const card = tag(
    Card,
    { title: 'Order', subtitle: undefined },
    tag(Text, { style: 'bold' }, 'Hello ', 3, ' times', null, false),
    tag(Image, { url: 'https://i.test/x.png' }),
    tag(Divider),
    tag(Link, { url: 'https://d.test' }, 'Docs'),
    tag(
      Actions,
      {},
      [tag(LinkButton, { url: 'https://o.test' }, 'Open'), tag(Button, { id: 'ok', disabled: undefined }, 'OK')],
      tag(Select, choice, options),
      tag(components.RadioSelect, { ...choice, id: 'one' }, options[0]),
    ),
    tag(Fields, {}, tag(Field, { label: 'Total' }, 7)),
    tag(Table, { headers: ['A'], rows: [['1']], align: ['right'] }),
    tag(Section, {}, tag(Fragment, {}, tag(Text, {}, 'in'), tag(Section, {}))),
  )
  expect(await chat.check({ card: card })).toEqual({ value: { card: card } })
  const used = JSON.stringify(card)
  // Fails if a new component is not used above.
  for (const type of ['text', 'image', 'divider', 'link', 'actions', 'link-button', 'button', 'select', 'radio_select'])
    expect(used).toContain(`"type":"${type}"`)
  expect(card).toEqual({
    type: 'card',
    title: 'Order',
    children: [
      { type: 'text', content: 'Hello 3 times', style: 'bold' },
      { type: 'image', url: 'https://i.test/x.png' },
      { type: 'divider' },
      { type: 'link', label: 'Docs', url: 'https://d.test' },
      {
        type: 'actions',
        children: [
          { type: 'link-button', label: 'Open', url: 'https://o.test' },
          { type: 'button', label: 'OK', id: 'ok' },
          {
            type: 'select',
            ...choice,
            options: [
              { label: 'A', value: 'a' },
              { label: 'B', value: 'b' },
            ],
          },
          { type: 'radio_select', ...choice, id: 'one', options: [{ label: 'A', value: 'a' }] },
        ],
      },
      { type: 'fields', children: [{ type: 'field', label: 'Total', value: '7' }] },
      { type: 'table', headers: ['A'], rows: [['1']], align: ['right'] },
      {
        type: 'section',
        children: [
          { type: 'text', content: 'in' },
          { type: 'section', children: [] },
        ],
      },
    ],
  })
})

test('the JSX runtime exports nothing else', () => {
  expect(Object.keys(components).sort()).toEqual([
    ...['Actions', 'Button', 'Card', 'Divider', 'Field', 'Fields', 'Image', 'Link', 'LinkButton', 'Option'],
    ...['RadioSelect', 'Section', 'Select', 'Table', 'Text'],
  ])
})

describe('rejects invalid children', () => {
  const self: unknown[] = []
  self.push(self)
  test.each<[string, () => unknown, string | RegExp]>([
    [
      'text in a card',
      () => tag(Card, {}, 'Hello'),
      /^<Card> takes <Text>, .+; got the text "Hello"\. Wrap it in <Text>\.$/,
    ],
    ['a long text', () => tag(Section, {}, 'x'.repeat(99)), `got the text "${'x'.repeat(40)}…". Wrap`],
    ['a number in a card', () => tag(Card, {}, 0), 'got number 0.'],
    ['a button in a card', () => tag(Card, {}, tag(Button, { id: 'a' }, 'A')), 'got a part of type "button".'],
    ['a card in a card', () => tag(Card, {}, tag(Card)), 'got a part of type "card".'],
    [
      'a text in actions',
      () => tag(Actions, {}, tag(Text, {}, 'x')),
      '<Actions> takes <LinkButton>, <Button>, <Select> and <RadioSelect>; got a part of type "text".',
    ],
    ['text in actions', () => tag(Actions, {}, 'x'), 'got the text "x".'],
    ['a field in a section', () => tag(Section, {}, tag(Field, { label: 'a' }, 'b')), 'got a part of type "field".'],
    ['an option in actions', () => tag(Actions, {}, tag(Option, { value: 'a' }, 'A')), 'got a part of type "option".'],
    ['an object of another kind', () => tag(Card, {}, { type: 'marquee' }), 'got a part of type "marquee".'],
    [
      'a part in a text',
      () => tag(Text, {}, tag(Divider)),
      '<Text> takes text and numbers; got a part of type "divider".',
    ],
    ['a date in a text', () => tag(Text, {}, new Date(0)), 'got an object that is not part of a card.'],
    ['a function for a part', () => tag(Card, {}, Divider), 'got the function Divider; write components as tags.'],
    ['a symbol', () => tag(Text, {}, Symbol('s')), 'got symbol Symbol(s).'],
    ['an inherited type', () => tag(Card, {}, { type: 'constructor' }), 'got a part of type "constructor".'],
    ['lists without end', () => tag(Card, {}, self), 'nested more than 100 lists deep'],
    ['a tag of HTML', () => tag('div'), '<div> is not a component.'],
    [
      'a component that was not exported',
      () => tag(undefined),
      '<undefined> is not a component. Cards use the components of @trestle/core/cards, such as <Card> and <Text>; check that it is exported',
    ],
    [
      'a component that waits',
      () => tag(async function Rows() {}),
      '<Rows> returned a promise. Await its data before rendering the card.',
    ],
  ])('%s', (_what, make, message) => {
    expect(make).toThrow(TypeError)
    expect(make).toThrow(message)
  })

  test.each<[string, object, string, string]>([
    [
      'an unknown attribute',
      tag(Card, {}, tag(Text, { colour: 'red' }, 'x')),
      '/card/children/0/colour',
      'unknown key',
    ],
    ['a wrong value', tag(Card, {}, tag(Text, { style: 'loud' }, 'x')), '/card/children/0/style', 'must be one of'],
    ['a part as the card', tag(Text, {}, 'x'), '/card', ''],
    ['several parts as the card', tag(Fragment, {}, tag(Card), tag(Card)), '/card', ''],
  ])('%s by the step', async (_what, card, path, message) => {
    const { issues } = await chat.check({ card })
    expect(issues?.[0]?.path.startsWith(path)).toBe(true)
    expect(issues?.map((issue) => issue.message).join()).toContain(message)
  })
})

test('a key combined with spread attributes gives the same tag', () => {
  const spread = { style: 'bold' }
  expect(createElement(Text, { ...spread, key: 1 }, 'a', 'b')).toEqual(tag(Text, spread, 'a', 'b'))
  expect(createElement(Divider, null)).toEqual({ type: 'divider' })
  expect(createElement(Text, { children: 'c' })).toEqual({ type: 'text', content: 'c' })
})
