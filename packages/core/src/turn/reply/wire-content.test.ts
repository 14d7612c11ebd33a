import type { AgentContent } from '@trestle/protocol'
import { describe, expect, test } from 'vitest'
import type { ReplyContent } from '../../agent/reply-content.ts'
import { card, image, text } from '../../workflow/cards/card-builders.ts'
import { takeContent } from './wire-content.ts'

const toWireContent = async (content: ReplyContent): Promise<AgentContent> => takeContent(content)()

const absent = undefined as never
const withField = (field: object): ReplyContent => ({
  card: { type: 'card', children: [{ type: 'text', content: 'hi', ...field }] },
})

describe('a card is sent as JSON', () => {
  test.each<[string, unknown, object]>([
    ['an absent title', { type: 'card', title: undefined, children: [] }, { type: 'card', children: [] }],
    ['an absent title of a builder', card({ title: absent }), { type: 'card', children: [] }],
    [
      'absent fields of its parts',
      card({}, text('hi', { style: absent }), image('https://a.test/x.png', { alt: absent })),
      {
        type: 'card',
        children: [
          { type: 'text', content: 'hi' },
          { type: 'image', url: 'https://a.test/x.png' },
        ],
      },
    ],
    [
      'a date and an address',
      { type: 'card', title: new Date(0), children: [{ type: 'image', url: new URL('https://a.test/x.png') }] },
      {
        type: 'card',
        title: '1970-01-01T00:00:00.000Z',
        children: [{ type: 'image', url: 'https://a.test/x.png' }],
      },
    ],
    [
      'what says itself what it is',
      { toJSON: () => ({ type: 'card', title: 'T', children: [] }) },
      { type: 'card', title: 'T', children: [] },
    ],
  ])('with %s', async (_what, given, expected) => {
    expect((await toWireContent({ card: given as never })).card).toStrictEqual(expected)
  })

  test.each<[string, object, string]>([
    ['a function', { onClick: () => 1 }, 'The field "onClick" is a function.'],
    ['a symbol', { style: Symbol('x') }, 'The field "style" is a symbol.'],
    ['no number', { style: Number.NaN }, 'The field "style" is NaN.'],
    ['a map', { style: new Map() }, 'The field "style" is a map.'],
    ['a date without a time', { style: new Date(Number.NaN) }, 'The field "style" is a date.'],
    ['bytes in a buffer', { style: new ArrayBuffer(1) }, 'The field "style" is an arraybuffer.'],
    ['a bigint', { style: 7n }, 'BigInt'],
  ])('but not with %s, which JSON would drop or change', async (_what, field, message) => {
    const sending = toWireContent(withField(field))
    await expect(sending).rejects.toThrow('A reply: the card: the value cannot be sent as JSON.')
    await expect(sending).rejects.toThrow(message)
  })

  test('and is validated in that form', async () => {
    await expect(toWireContent(withField({ content: undefined }))).rejects.toThrow(
      'A reply: the card is invalid at /children/0/content',
    )
  })
})
