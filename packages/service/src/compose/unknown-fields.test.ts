import fc from 'fast-check'
import { expect, test } from 'vitest'
import { findUnknownFields } from './unknown-fields.ts'

const schema = {
  type: 'object',
  additionalProperties: false,
  properties: {
    name: { type: 'string' },
    items: { type: 'array', items: { type: 'object' } },
    open: { type: 'object', properties: { a: {} } },
    closed: { type: 'object', additionalProperties: false, properties: { a: {} } },
  },
}

const find = (text: string) => findUnknownFields({ controls: { body: text }, payloadSchema: schema })

test('reports an unknown field with its position and the available fields', async () => {
  expect(await find('Hello\n  {{ payload.nam }}')).toEqual([
    {
      path: '/body',
      message: 'unknown variable "payload.nam"; payload has name, items, open, closed',
      line: 2,
      column: expect.any(Number),
    },
  ])
  const messages = async (text: string) => (await find(text)).map(({ message }) => message)
  expect(await messages('{% if payload.closed.b %}x{% endif %}')).toEqual([
    'unknown variable "payload.closed.b"; payload.closed has a',
  ])
  expect(await messages('{{ subscriber.firstNam }}')).toEqual([expect.stringContaining('"subscriber.firstNam"')])
})

test('allows fields of open objects, loop variables, and anything that cannot be determined', async () => {
  const texts = [
    ...['{{ payload.name | upcase }}', '{{ payload.open.anything }}', '{{ payload.items.size }}'],
    ...['{% for item in payload.items %}{{ item.whatever }}{% endfor %}', '{{ payload[payload.name] }}'],
    ...['{% assign payload = 1 %}', '{{ steps.ask.score }}', '{{ env.KEY }}', '{{ subscriber.data.x }}', '{{ broken '],
  ]
  for (const text of texts) expect(await find(text), text).toEqual([])
  expect(await findUnknownFields({ controls: { body: '{{ payload.nam }}' }, payloadSchema: undefined })).toEqual([])
})

test('finds the path of a nested value', async () => {
  const controls = { list: [{ 'a/b': '{{ payload.nam }}' }] }
  expect((await findUnknownFields({ controls, payloadSchema: schema })).map(({ path }) => path)).toEqual([
    '/list/0/a~1b',
  ])
})

test('never fails for random text', async () => {
  const part = fc.constantFrom(
    '{{',
    '}}',
    '{%',
    '%}',
    ' payload',
    '.nam',
    '[',
    ']',
    '|',
    'if',
    'for',
    'endif',
    '"',
    ':',
  )
  await fc.assert(
    fc.asyncProperty(fc.array(part, { maxLength: 30 }), async (parts) => void (await find(parts.join('')))),
  )
})
