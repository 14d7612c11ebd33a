import { expect, test } from 'vitest'
import { compileSchema } from '../../schema/compile-schema.ts'
import type { Schema } from '../../schema/schema-types.ts'
import { stepKinds } from '../steps/step-kinds.ts'
import {
  actions,
  button,
  card,
  divider,
  fields,
  image,
  link,
  linkButton,
  radioSelect,
  section,
  select,
  table,
  text,
} from './card-builders.ts'

const chat = compileSchema(stepKinds.chat.output as Schema)
const options = [{ label: 'A', value: 'a' }]

const full = card(
  { title: 'Order', subtitle: 'o-1', imageUrl: 'https://i.test/x.png' },
  text('Hello', { style: 'bold' }),
  image('https://i.test/x.png', { alt: 'x' }),
  divider(),
  link('Docs', 'https://d.test'),
  actions(
    linkButton('Open', 'https://o.test', { style: 'primary' }),
    button('ok', 'OK', { actionType: 'action', value: '1' }),
    select('pick', 'Pick', { options, placeholder: '...' }),
    radioSelect('one', 'One', { options, initialOption: 'a' }),
  ),
  fields({ Total: '7' }),
  table(['A', 'B'], [['1', '2']], { align: ['left', 'right'] }),
  section(text('in'), section(text('further in'))),
)

test('returns plain data that the schema accepts', () => {
  expect(chat.check({ card: full })).toEqual({ value: { card: full } })
  expect(JSON.parse(JSON.stringify(full))).toEqual(full)
  expect(card({}, text('x'))).toEqual({ type: 'card', children: [{ type: 'text', content: 'x' }] })
})

test.each<[string, unknown, string, string]>([
  ['a part without its text', { type: 'text' }, '/card/children/0/content', 'is required'],
  ['an unknown style', { type: 'text', content: 'x', style: 'loud' }, '/card/children/0/style', 'must be one of'],
  ['an unknown part', { type: 'marquee' }, '/card/children/0/type', 'must be one of "text", "image"'],
  [
    'a button without an id',
    { type: 'actions', children: [{ type: 'button', label: 'x' }] },
    '/card/children/0/children/0/id',
    'is required',
  ],
  [
    'a list without choices',
    { type: 'actions', children: [{ type: 'select', id: 'a', label: 'x', options: [] }] },
    '/card/children/0/children/0/options',
    'at least 1 item',
  ],
  ['a misspelt key', { type: 'link', label: 'x', url: 'y', href: 'z' }, '/card/children/0/href', 'unknown key "href"'],
  [
    'a cell that is no text',
    { type: 'table', headers: ['A'], rows: [[1]] },
    '/card/children/0/rows/0/0',
    'must be a string',
  ],
  [
    'a button outside of actions',
    { type: 'button', id: 'a', label: 'x' },
    '/card/children/0/type',
    'must be one of "text", "image"',
  ],
])('names %s', async (_what, part, path, message) => {
  const { issues } = await chat.check({ card: { type: 'card', children: [part] } })
  expect(issues?.map((issue) => issue.path).some((issuePath) => issuePath.startsWith(path))).toBe(true)
  expect(issues?.map((issue) => issue.message).join()).toContain(message)
})
