import type { JsonObject } from '@trestle/protocol'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { ConversationMessageRow, ConversationQuestionRow } from '../../store/schema/agent.ts'
import { findPart, readMessageId, toActionId } from './card-parts.ts'
import { toSlackMessage } from './slack-message.ts'

const message = (fields: Partial<ConversationMessageRow>): ConversationMessageRow => ({
  ...{ id: 'm', environmentId: 'e', conversationId: 'c', position: 1, role: 'agent', author: null, text: null },
  ...{
    markdown: null,
    card: null,
    files: '[]',
    reactions: '[]',
    questionId: null,
    error: null,
    platformMessageId: null,
  },
  ...{ createdAt: 1, editedAt: null, deletedAt: null, ...fields },
})
const question = (fields: Partial<ConversationQuestionRow>): ConversationQuestionRow => ({
  ...{ id: 'q', environmentId: 'e', conversationId: 'c', questionId: 'x', actionId: 'a', messageId: 'm', type: 'text' },
  ...{
    text: 'Why?',
    value: null,
    options: null,
    labels: null,
    answer: null,
    createdAt: 1,
    answeredAt: null,
    ...fields,
  },
})
const blocksOf = (children: readonly unknown[], head: JsonObject = {}) =>
  toSlackMessage(message({ card: JSON.stringify({ type: 'card', ...head, children }) })).blocks

const withoutIds = (blocks: readonly JsonObject[]): unknown =>
  JSON.parse(JSON.stringify(blocks, (name, value) => (/^(action|block)_id$/.test(name) ? undefined : value)))

describe('a card on Slack', () => {
  test('has a block for each part', () => {
    const options = [
      { label: 'A', value: 'a' },
      { label: 'B', value: 'b' },
    ]
    const head = { title: 'A <b>', subtitle: 'x & y', imageUrl: 'https://a.test/i.png' }
    const blocks = blocksOf(
      [
        { type: 'text', content: '*as* it <is>' },
        { type: 'text', content: '<b>', style: 'bold' },
        { type: 'text', content: 'm', style: 'muted' },
        { type: 'divider' },
        { type: 'link', label: 'L', url: 'https://a.test' },
        { type: 'image', url: 'https://a.test/j.png', alt: 'alt' },
        { type: 'fields', children: [{ type: 'field', label: 'k', value: '<v>' }] },
        { type: 'table', headers: ['h'], rows: [['<c>']] },
        {
          type: 'section',
          children: [
            {
              type: 'actions',
              children: [
                { type: 'button', id: 'b', label: 'B', style: 'danger', value: 'v' },
                { type: 'button', id: 'off', label: 'Off', disabled: true },
                { type: 'link-button', label: 'Go', url: 'https://a.test', style: 'default' },
                { type: 'select', id: 's', label: 'S', options, initialOption: 'b' },
                { type: 'radio_select', id: 'r', label: 'R', options },
              ],
            },
          ],
        },
      ],
      head,
    )
    const option = (text: string, value: string) => ({ text: { type: 'plain_text', text }, value })
    expect(withoutIds(blocks)).toEqual([
      { type: 'header', text: { type: 'plain_text', text: 'A <b>' } },
      { type: 'context', elements: [{ type: 'mrkdwn', text: 'x &amp; y' }] },
      { type: 'image', image_url: 'https://a.test/i.png', alt_text: 'A <b>' },
      { type: 'section', text: { type: 'plain_text', text: '*as* it <is>' } },
      { type: 'section', text: { type: 'mrkdwn', text: '*&lt;b&gt;*' } },
      { type: 'context', elements: [{ type: 'mrkdwn', text: 'm' }] },
      { type: 'divider' },
      { type: 'section', text: { type: 'mrkdwn', text: '<https://a.test|L>' } },
      { type: 'image', image_url: 'https://a.test/j.png', alt_text: 'alt' },
      { type: 'section', fields: [{ type: 'mrkdwn', text: '*k*\n&lt;v&gt;' }] },
      { type: 'section', text: { type: 'mrkdwn', text: '```h\n&lt;c&gt;```' } },
      {
        type: 'actions',
        elements: [
          { type: 'button', text: { type: 'plain_text', text: 'B' }, style: 'danger' },
          {
            type: 'button',
            text: { type: 'plain_text', text: 'Go' },
            url: 'https://a.test',
          },
          {
            ...{ type: 'static_select', placeholder: { type: 'plain_text', text: 'S' } },
            ...{ options: [option('A', '0'), option('B', '1')], initial_option: option('B', '1') },
          },
          { type: 'radio_buttons', options: [option('A', '0'), option('B', '1')] },
        ],
      },
    ])
  })

  test('of any form is within the limits of Slack', () => {
    const long = fc.oneof(
      fc.string(),
      fc.integer({ min: 1, max: 7000 }).map((length) => '&'.repeat(length)),
      fc.constant(' '),
    )
    const value = fc.oneof(long, fc.jsonValue({ maxDepth: 1 }))
    const type = fc.constantFrom(
      'text',
      'image',
      'divider',
      'link',
      'fields',
      'field',
      'table',
      'actions',
      'section',
      'button',
      'select',
    )
    const names = ['content', 'label', 'value', 'url', 'alt', 'style', 'headers', 'rows', 'options', 'id']
    const leaf = fc
      .tuple(type, fc.dictionary(fc.constantFrom(...names), value))
      .map(([kind, rest]) => ({ type: kind, ...rest }))
    const part = fc.tuple(leaf, fc.array(leaf, { maxLength: 30 })).map(([one, children]) => ({ ...one, children }))
    fc.assert(
      fc.property(
        fc.array(part, { maxLength: 60 }),
        value,
        value,
        fc.string({ maxLength: 20 }),
        (children, title, subtitle, text) => {
          const said = toSlackMessage(
            message({ text, card: JSON.stringify({ type: 'card', title, subtitle, children }) }),
          )
          expect(said.blocks.length).toBeLessThanOrEqual(50)
          expect(said.text.length).toBeLessThanOrEqual(40_000)
          for (const block of said.blocks) {
            const {
              elements = [],
              fields = [],
              text: shown,
            } = block as { elements?: JsonObject[]; fields?: JsonObject[]; text?: JsonObject }
            expect(elements.length).toBeLessThanOrEqual(25)
            expect(fields.length).toBeLessThanOrEqual(10)
            for (const { text: one } of fields) expect(String(one).length).toBeLessThanOrEqual(2000)
            const limit = block['type'] === 'header' ? 150 : 3000
            if (shown) expect(String(shown['text']).length).toBeLessThanOrEqual(limit)
            if (shown) expect(String(shown['text']).trim()).not.toBe('')
          }
        },
      ),
      { numRuns: Math.min(Number(process.env['FC_RUNS'] ?? 200), 1000) },
    )
  })

  test('gives every part an id of its own, by which it is found again', () => {
    const button = (value: string) => ({ type: 'button', id: 'refund', label: 'Refund', value })
    const actions = (...children: readonly unknown[]) => ({ type: 'actions', children })
    const off = { ...button('9'), disabled: true }
    const card = { type: 'card', children: [actions(button('7'), button('7')), actions(button('8'), off)] }
    const { blocks } = toSlackMessage(message({ card: JSON.stringify(card) }))
    const [first, second] = blocks as readonly { block_id: string; elements: readonly { action_id: string }[] }[]
    expect(first?.block_id).not.toBe(second?.block_id)
    expect(readMessageId(second?.block_id ?? '')).toBe('m')
    expect(first?.elements[0]?.action_id).not.toBe(first?.elements[1]?.action_id)
    expect(second?.elements).toHaveLength(1)
    const found = [...(first?.elements ?? []), ...(second?.elements ?? [])].map((one) => findPart(card, one.action_id))
    expect(found).toEqual([button('7'), button('7'), button('8')])
    // What was edited since, is disabled or never was there is not used.
    const edited = { type: 'card', children: [actions(button('70'), button('8'))] }
    expect(findPart(edited, first?.elements[0]?.action_id ?? '')).toBeUndefined()
    expect(findPart(edited, second?.elements[0]?.action_id ?? '')).toEqual(button('8'))
    for (const actionId of ['refund', '', '0', toActionId(off, 0)]) expect(findPart(card, actionId)).toBeUndefined()
    const again = toSlackMessage(message({ card: JSON.stringify(card), editedAt: 5 })).blocks
    expect(again[0]?.['block_id']).not.toBe(first?.block_id)
  })
})

describe('a message on Slack', () => {
  test('that is long goes on in the next section, and nothing is lost', () => {
    const text = Array.from({ length: 3000 }, (_, index) => `word${index}`).join(' ')
    const shown = toSlackMessage(message({ text })).blocks.map((block) => (block['text'] as JsonObject)['text'])
    expect(shown.length).toBeGreaterThan(5)
    expect(shown.join('')).toBe(text)
    const markdown = '&'.repeat(2000)
    const escaped = toSlackMessage(message({ markdown })).blocks.map((block) =>
      String((block['text'] as JsonObject)['text']),
    )
    expect(escaped.join('')).toBe('&amp;'.repeat(2000))
    for (const part of escaped) expect(part).toMatch(/^(&amp;)+$/)
  })

  test('that has more parts than Slack takes says so', () => {
    const { blocks } = toSlackMessage(
      message({ text: 'x'.repeat(99_000), card: '{"type":"card","children":[{"type":"divider"}]}' }),
    )
    expect(blocks).toHaveLength(34)
    const many = blocksOf(Array(60).fill({ type: 'divider' }))
    expect(many).toHaveLength(50)
    expect(JSON.stringify(many)).toContain('…')
  })

  test('names files, and links those that have an address', () => {
    const files = [
      { name: 'a<b', url: 'https://a.test/f' },
      { name: 'c', data: 'YQ==' },
    ]
    const { text, blocks } = toSlackMessage(message({ files: JSON.stringify(files) }))
    expect(text).toBe('a&lt;b, c')
    expect(JSON.stringify(blocks)).toContain('<https://a.test/f|a&lt;b>')
    expect(JSON.stringify(blocks)).toContain('c (_the file itself was not sent to Slack_)')
  })

  test('that asks is answered in place', () => {
    const options = JSON.stringify([{ value: 's', label: 'Small' }])
    const shown = (fields: Partial<ConversationQuestionRow>) =>
      toSlackMessage(message({ text: 'Why?' }), question(fields)).blocks.at(-1)
    expect(shown({})).toMatchObject({ type: 'input', dispatch_action: true, element: { type: 'plain_text_input' } })
    expect(shown({ type: 'approval', labels: '{"approve":"Do"}' })).toMatchObject({
      type: 'actions',
      elements: [{ text: { text: 'Do' } }, { text: { text: 'Reject' } }],
    })
    expect(shown({ type: 'choice', options })).toMatchObject({ elements: [{ options: [{ value: '0' }] }] })
    const answered = (fields: Partial<ConversationQuestionRow>) => JSON.stringify(shown(fields))
    expect(answered({ answer: '{"type":"text","text":"<because>"}' })).toContain('*&lt;because&gt;*')
    expect(answered({ type: 'choice', options, answer: '{"type":"choice","choice":"s"}' })).toContain('*Small*')
    expect(answered({ type: 'approval', answer: '{"type":"approval","approved":false}' })).toContain('*Reject*')
  })
})
