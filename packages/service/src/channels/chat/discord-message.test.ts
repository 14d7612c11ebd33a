import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { draftChat } from './chat-draft.ts'

interface Embed {
  readonly title?: string
  readonly description?: string
  readonly image?: { readonly url: string }
  readonly fields?: readonly { readonly name: string; readonly value: string; readonly inline: boolean }[]
}

function bodyOf(outputs: Record<string, unknown>): { readonly content?: string; readonly embeds?: readonly Embed[] } {
  const overrides = { fields: {}, body: {}, headers: {}, query: {} }
  const { outgoing } = draftChat({
    ...{ outputs, sender: 'discord', target: { url: 'https://hooks.example.com/x', headers: {} }, overrides },
    ...{ subscriberId: 'ada', facts: {} },
  })
  return outgoing?.kind === 'request' ? outgoing.body : {}
}

/** Lists violations of Discord's documented webhook limits in a message. */
function listFaults({ content, embeds = [] }: ReturnType<typeof bodyOf>): string[] {
  const faults: string[] = []
  const within = (text: string | undefined, max: number, what: string): void => {
    if (text !== undefined && (text.trim() === '' || text.length > max)) faults.push(`${what}: ${text.length}`)
    if (text !== undefined && !Buffer.from(text).toString().includes(text)) faults.push(`${what}: half a character`)
  }
  within(content, 2000, 'content')
  if (content === undefined && embeds.length === 0) faults.push('a message says something')
  if (embeds.length > 10) faults.push(`embeds: ${embeds.length}`)
  let total = 0
  for (const embed of embeds) {
    const { title, description, image, fields = [] } = embed
    if (Object.keys(embed).length === 0) faults.push('an embed shows something')
    within(title, 256, 'title')
    within(description, 4096, 'description')
    if (image && !(/^https?:\/\//i.test(image.url) && URL.canParse(image.url) && image.url.length <= 2048))
      faults.push(`image: ${image.url}`)
    if (fields.length > 25) faults.push(`fields: ${fields.length}`)
    for (const { name, value } of fields) {
      within(name, 256, 'name')
      within(value, 1024, 'value')
    }
    const texts = [title, description, ...fields.flatMap(({ name, value }) => [name, value])]
    total += texts.reduce((sum, text) => sum + (text?.length ?? 0), 0)
  }
  if (total > 6000) faults.push(`total: ${total}`)
  return faults
}

const field = (label: unknown, value: unknown) => ({ type: 'field', label, value })
const cardOf = (children: readonly object[], head: object = {}) => ({ type: 'card', ...head, children })

describe('a message for Discord', () => {
  test('stays within the limits and ends truncated text with an ellipsis', () => {
    const text = bodyOf({ body: 'x'.repeat(3000) })
    expect(text.content).toBe(`${'x'.repeat(1999)}…`)
    const children = [{ type: 'text', content: 'c'.repeat(5000) }]
    const head = { title: 't'.repeat(300), imageUrl: 'https://a.test/i.png' }
    const { content, embeds } = bodyOf({ body: 'b', card: cardOf(children, head) })
    expect(content).toBe('b')
    expect(embeds).toEqual([
      {
        title: `${'t'.repeat(255)}…`,
        description: `${'c'.repeat(4095)}…`,
        image: { url: 'https://a.test/i.png' },
      },
    ])
  })

  test('contains all fields, however many, and reports omitted content', () => {
    const many = (count: number, value: string) => Array.from({ length: count }, (_, at) => field(`k${at}`, value))
    const all = bodyOf({ card: cardOf([{ type: 'fields', children: many(60, '') }], { title: 'T' }) })
    expect(listFaults(all)).toEqual([])
    expect(all.embeds?.map(({ title, fields }) => [title, fields?.length])).toEqual([
      ['T', 25],
      [undefined, 25],
      [undefined, 10],
    ])
    expect(all.embeds?.[2]?.fields?.at(-1)).toEqual({ name: 'k59', value: '–', inline: true })
    for (const [count, value] of [
      [20, 'v'.repeat(1500)],
      [400, ''],
    ] as const) {
      const cut = bodyOf({ card: cardOf([{ type: 'fields', children: many(count, value) }]) })
      expect(listFaults(cut)).toEqual([])
      expect(cut.embeds?.at(-1)?.fields?.at(-1)).toMatchObject({
        name: '…',
        value: expect.stringContaining('was not sent'),
      })
    }
  })

  test('contains only images from web URLs, and is never empty', () => {
    for (const imageUrl of ['javascript:x', '/i.png', 'https://', `https://a.test/${'x'.repeat(2100)}`]) {
      const body = bodyOf({ card: cardOf([], { title: 'T', imageUrl }) })
      expect(body.embeds).toEqual([{ title: 'T', description: '(the image itself was not sent to Discord)' }])
    }
    expect(bodyOf({ card: cardOf([]) })).toMatchObject({ content: '–' })
    expect(bodyOf({ body: 'Hi', card: cardOf([], { title: ' ' }) })).toMatchObject({ content: 'Hi' })
    expect(bodyOf({ body: ' ' })).toMatchObject({ content: '–' })
  })

  test('with any content stays within the limits', () => {
    const long = fc.oneof(
      fc
        .tuple(fc.constantFrom('x', '😀', 'a b\n', ' '), fc.integer({ min: 0, max: 7000 }))
        .map(([a, n]) => a.repeat(n)),
      fc.jsonValue({ maxDepth: 1 }),
    )
    const part = fc.oneof(
      fc.record({ type: fc.constantFrom('text', 'link', 'image'), content: long, label: long, url: long, alt: long }),
      fc.record({
        type: fc.constant('fields'),
        children: fc.array(fc.record({ label: long, value: long }), { maxLength: 30 }),
      }),
    )
    const card = fc.record({
      title: long,
      subtitle: long,
      imageUrl: fc.oneof(fc.webUrl(), long),
      children: fc.array(part, { maxLength: 5 }),
    })
    fc.assert(
      fc.property(card, long, (given, body) => {
        expect(listFaults(bodyOf({ card: given, body }))).toEqual([])
        expect(listFaults(bodyOf({ body: JSON.stringify(body) }))).toEqual([])
      }),
      { numRuns: 200 },
    )
  })
})
