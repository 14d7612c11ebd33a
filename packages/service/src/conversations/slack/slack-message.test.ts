import type { JsonObject } from '@trestle/protocol'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { draws } from '../../../../../test/scope.ts'
import { listFaults } from '../../channels/chat/block-kit.fixture.ts'
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
    by: null,
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
      { type: 'context', elements: [{ type: 'plain_text', text: 'x & y' }] },
      { type: 'image', image_url: 'https://a.test/i.png', alt_text: 'A <b>' },
      { type: 'section', text: { type: 'plain_text', text: '*as* it <is>' } },
      { type: 'section', text: { type: 'mrkdwn', text: '*&lt;b&gt;*' } },
      { type: 'context', elements: [{ type: 'plain_text', text: 'm' }] },
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
        ],
      },
      {
        ...{ type: 'section', text: { type: 'plain_text', text: 'R' } },
        accessory: { type: 'radio_buttons', options: [option('A', '0'), option('B', '1')] },
      },
    ])
  })

  test('of any structure stays within the limits of Slack', () => {
    const many = fc.tuple(fc.constantFrom('&', '😀', 'a b\n', '*b* ', '`c` ', 'x'), fc.integer({ min: 1, max: 5000 }))
    const long = fc.oneof(
      fc.string({ unit: 'grapheme' }),
      many
        .map(([part, times]) => part.repeat(times).slice(0, 7000))
        .map((given) => given.replace(/[\ud800-\udbff]$/, '')),
      fc.constant(' '),
    )
    const url = fc.constantFrom(
      'https://a.test/i',
      `https://a.test/${'x'.repeat(4000)}`,
      'https://',
      '/here',
      'data:,x',
    )
    const value = fc.oneof(long, fc.jsonValue({ maxDepth: 1 }))
    const option = fc.record({ label: long, value: fc.string(), description: long }, { requiredKeys: ['label'] })
    const options = fc.oneof(
      value,
      fc.array(option, { maxLength: 12 }),
      fc.constant(Array.from({ length: 250 }, (_, at) => ({ label: `${at}`, value: `${at}` }))),
    )
    const initialOption = fc.constantFrom(undefined, '7', '111')
    const types = ['text', 'image', 'divider', 'link', 'fields', 'field', 'table', 'actions', 'section', 'button']
    const type = fc.constantFrom(...types, 'select', 'radio_select', 'link-button')
    const names = ['content', 'label', 'value', 'alt', 'style', 'headers', 'rows', 'id', 'placeholder']
    const leaf = fc
      .tuple(type, fc.dictionary(fc.constantFrom(...names), value), fc.record({ url, options, initialOption }))
      .map(([kind, rest, fixed]) => ({ ...fixed, ...rest, type: kind }))
    const part = fc.tuple(leaf, fc.array(leaf, { maxLength: 30 })).map(([one, children]) => ({ ...one, children }))
    const head = fc.record({ title: value, subtitle: value, imageUrl: url })
    const file = fc.record({ name: fc.string({ minLength: 1, maxLength: 255 }), url })
    fc.assert(
      fc.property(
        fc.array(part, { maxLength: 60 }),
        head,
        fc.record({ text: long, markdown: fc.option(long) }),
        fc.array(file, { maxLength: 10 }),
        (children, given, said, files) => {
          const card = JSON.stringify({ type: 'card', ...given, children })
          expect(listFaults(toSlackMessage(message({ ...said, card, files: JSON.stringify(files) })))).toEqual([])
        },
      ),
      { numRuns: draws(100, 1000) },
    )
  })

  test('gives every part a unique id that identifies it later', () => {
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
    const parts = [...(first?.elements ?? []), ...(second?.elements ?? [])].map((one) => findPart(card, one.action_id))
    expect(parts).toEqual([button('7'), button('7'), button('8')])
    // Parts that were edited, are disabled or never existed are ignored.
    const edited = { type: 'card', children: [actions(button('70'), button('8'))] }
    expect(findPart(edited, first?.elements[0]?.action_id ?? '')).toBeUndefined()
    expect(findPart(edited, second?.elements[0]?.action_id ?? '')).toEqual(button('8'))
    for (const actionId of ['refund', '', '0', toActionId(off, 0)]) expect(findPart(card, actionId)).toBeUndefined()
    const again = toSlackMessage(message({ card: JSON.stringify(card), editedAt: 5 })).blocks
    expect(again[0]?.['block_id']).not.toBe(first?.block_id)
  })

  test('supports lists of any length', () => {
    const list = (type: string, count: number) => ({
      ...{ type, id: 'l', label: 'L', initialOption: `v${count - 1}` },
      options: Array.from({ length: count }, (_, at) => ({ label: `o${at}`, value: `v${at}` })),
    })
    const elementOf = (type: string, count: number) => {
      const { blocks } = toSlackMessage(
        message({
          card: JSON.stringify({ type: 'card', children: [{ type: 'actions', children: [list(type, count)] }] }),
        }),
      )
      expect(listFaults({ text: 'x', blocks })).toEqual([])
      // biome-ignore lint/suspicious/noExplicitAny: elements come in every shape
      return (blocks[0] as any).accessory ?? (blocks[0] as any).elements[0]
    }
    expect(elementOf('radio_select', 10)).toMatchObject({ type: 'radio_buttons', initial_option: { value: '9' } })
    expect(elementOf('radio_select', 11)).toMatchObject({
      ...{ type: 'static_select', placeholder: { text: 'L' }, initial_option: { value: '10' } },
    })
    expect(elementOf('select', 100).options).toHaveLength(100)
    const groups = elementOf('select', 101).option_groups as readonly { options: readonly { value: string }[] }[]
    expect(groups.map(({ options }) => options.length)).toEqual([100, 1])
    expect(groups[1]?.options[0]?.value).toBe('100')
  })

  test('shows the labels of its lists, and the descriptions of their options', () => {
    const options = [{ label: 'Now', value: 'n', description: 'within the hour' }]
    const blocksOfList = (fields: JsonObject) =>
      blocksOf([{ type: 'actions', children: [{ id: 'w', label: 'When?', options, ...fields }] }])
    const option = { text: { text: 'Now' }, value: '0', description: { type: 'plain_text', text: 'within the hour' } }
    for (const fields of [{ type: 'radio_select' }, { type: 'select', placeholder: 'Choose' }])
      expect(blocksOfList(fields)).toMatchObject([
        { type: 'section', text: { text: 'When?' }, accessory: { options: [option] }, block_id: 'trestle.card.m.0.0' },
      ])
    expect(blocksOfList({ type: 'select' })).toMatchObject([
      { type: 'actions', elements: [{ placeholder: { text: 'When?' }, options: [option] }] },
    ])
  })

  test('reports parts that Slack cannot show', () => {
    const odd = [
      { type: 'image', url: 'data:image/png;base64,AA', alt: 'A <map>' },
      { type: 'actions', children: [{ type: 'link-button', label: 'Open', url: '/orders/7' }] },
      { type: 'actions', children: [{ type: 'select', id: 's', label: 'Nothing to choose', options: [] }] },
    ]
    expect(blocksOf(odd).map((block) => (block['text'] as JsonObject)['text'])).toEqual([
      'A <map> (the image itself was not sent to Slack)',
      'Open: /orders/7',
      'Nothing to choose',
    ])
  })

  test('supports tables whose cells contain code delimiters', () => {
    const rows = Array.from({ length: 300 }, (_, at) => [`${at}`, '```<b> `x` ````'])
    const blocks = blocksOf([{ type: 'table', headers: ['`n`', 'code'], rows }])
    const texts = blocks.map((block) => String((block['text'] as JsonObject)['text']))
    expect(texts.length).toBeGreaterThan(2)
    for (const text of texts) expect(text).toMatch(/^```(?:[^`]|`(?!`))+```$/)
    expect(listFaults({ text: 'x', blocks })).toEqual([])
  })

  test('applies bold text line by line', () => {
    expect(blocksOf([{ type: 'text', style: 'bold', content: 'one\n\n two <b> ' }])).toEqual([
      { type: 'section', text: { type: 'mrkdwn', text: '*one*\n\n *two &lt;b&gt;* ' } },
    ])
  })
})

describe('a message on Slack', () => {
  test('that is long continues in the next section without loss', () => {
    const text = Array.from({ length: 1200 }, (_, index) => `word${index}`).join(' ')
    const texts = toSlackMessage(message({ text })).blocks.map((block) => (block['text'] as JsonObject)['text'])
    expect(texts.length).toBeGreaterThan(3)
    expect(texts.join('')).toBe(text)
    const markdown = '&'.repeat(2000)
    const escaped = toSlackMessage(message({ markdown })).blocks.map((block) =>
      String((block['text'] as JsonObject)['text']),
    )
    expect(escaped.join('')).toBe('&amp;'.repeat(2000))
    for (const part of escaped) expect(part).toMatch(/^(&amp;)+$/)
  })

  test('that has more parts than Slack allows reports the omission', () => {
    const card = '{"type":"card","children":[{"type":"text","content":"Order 8"}]}'
    const { text, blocks } = toSlackMessage(message({ text: '😀'.repeat(49_000), card }))
    expect(listFaults({ text, blocks })).toEqual([])
    expect(JSON.stringify(blocks).length).toBeGreaterThan(9000)
    expect(JSON.stringify(blocks.at(-1))).toContain('the rest was not sent')
    expect(text).toMatch(/😀…$/)
    const many = blocksOf(Array(60).fill({ type: 'divider' }))
    expect(many).toHaveLength(50)
    expect(JSON.stringify(many)).toContain('…')
    const asked = toSlackMessage(message({ text: 'x '.repeat(40_000) }), question({ type: 'approval' })).blocks
    expect(listFaults({ text: 'x', blocks: asked })).toEqual([])
    expect(JSON.stringify(asked.at(-2))).toContain('the rest was not sent')
    const free = toSlackMessage(message({ text: 'x '.repeat(40_000) }), question({ type: 'text' })).blocks
    expect(free.at(-1)).toMatchObject({ block_id: 'trestle.question.q' })
  })

  test.each([
    ['approval', 'x '.repeat(5700), {}],
    ['approval', 'Ok?', { labels: JSON.stringify({ approve: 'x'.repeat(76) }) }],
    ['choice', 'x '.repeat(8000), { options: '[{"value":"a","label":"A"}]' }],
  ] as const)('has no %s if users cannot see the whole question', (type, text, fields) => {
    const { blocks } = toSlackMessage(message({ text }), question({ type, ...fields }))
    expect(JSON.stringify(blocks)).not.toMatch(/"type":"(actions|button|static_select)"/)
    expect(JSON.stringify(blocks.at(-1))).toContain('cannot be answered here')
  })

  test('shows the whole question if it has buttons', () => {
    const text = fc
      .string({ unit: 'grapheme', minLength: 1, maxLength: 14_000 })
      .map((end) => `May I ${end} ATTACKER-IBAN`)
    fc.assert(
      fc.property(text, (asked) => {
        const blocksJson = JSON.stringify(
          toSlackMessage(message({ text: asked }), question({ type: 'approval' })).blocks,
        )
        if (blocksJson.includes('"type":"actions"')) expect(blocksJson).toContain('ATTACKER-IBAN')
      }),
    )
  })

  test('names who can answer', () => {
    const by = JSON.stringify(['U0123', 'ada & co'])
    const { blocks } = toSlackMessage(message({ text: 'Ok?' }), question({ type: 'approval', by }))
    expect(JSON.stringify(blocks.at(-2))).toContain('Only <@U0123>, ada &amp; co may answer.')
  })

  test('lists files, with links if they have a URL', () => {
    const files = [
      { name: 'a<b', url: 'https://a.test/f' },
      { name: 'c', data: 'YQ==' },
    ]
    const { text, blocks } = toSlackMessage(message({ files: JSON.stringify(files) }))
    expect(text).toBe('a&lt;b, c')
    expect(JSON.stringify(blocks)).toContain('<https://a.test/f|a&lt;b>')
    expect(JSON.stringify(blocks)).toContain('c (the file itself was not sent to Slack)')
  })

  test('with any question stays within the limits of Slack', () => {
    const text = fc.oneof(
      fc.string({ unit: 'grapheme' }),
      fc.constantFrom('&'.repeat(4000), '😀'.repeat(9000), ' ', 'a\n\nb'),
    )
    const options = fc.array(fc.record({ value: fc.string(), label: text }), { minLength: 1, maxLength: 100 })
    const labels = fc.record({ approve: text, reject: text }, { requiredKeys: [] })
    fc.assert(
      fc.property(
        text,
        fc.constantFrom('text', 'choice', 'approval'),
        fc.record({ options, labels }),
        fc.option(text),
        (said, type, given, written) => {
          const [first] = given.options
          const answers = { text: { text: written }, choice: { choice: first?.value }, approval: { approved: true } }
          const answer = written === null ? null : JSON.stringify({ type, ...answers[type] })
          const asked = { type, answer, options: JSON.stringify(given.options), labels: JSON.stringify(given.labels) }
          const slackMessage = toSlackMessage(message({ text: said }), question(asked))
          expect(listFaults(slackMessage)).toEqual([])
          const takesAnswer = slackMessage.blocks.at(-1)?.['block_id'] === 'trestle.question.q'
          const saysWhy = JSON.stringify(slackMessage.blocks.at(-1) ?? null).includes('cannot be answered here')
          if (answer === null) expect(takesAnswer || (type !== 'text' && saysWhy)).toBe(true)
        },
      ),
      { numRuns: draws(100, 1000) },
    )
  })

  test('contains the input or buttons that answer its question', () => {
    const options = JSON.stringify([{ value: 's', label: 'Small' }])
    const lastBlockOf = (fields: Partial<ConversationQuestionRow>) =>
      toSlackMessage(message({ text: 'Why?' }), question(fields)).blocks.at(-1)
    expect(lastBlockOf({})).toMatchObject({
      type: 'input',
      dispatch_action: true,
      element: { type: 'plain_text_input' },
    })
    expect(lastBlockOf({ type: 'approval', labels: '{"approve":"Do"}' })).toMatchObject({
      type: 'actions',
      elements: [{ text: { text: 'Do' } }, { text: { text: 'Reject' } }],
    })
    expect(lastBlockOf({ type: 'choice', options })).toMatchObject({ elements: [{ options: [{ value: '0' }] }] })
    const edited = message({ markdown: 'Why **not**?', editedAt: 2 })
    const [asked, input] = toSlackMessage(edited, question({})).blocks
    expect(asked).toEqual({ type: 'section', text: { type: 'mrkdwn', text: 'Why *not*?' } })
    expect(input).toMatchObject({ type: 'input', block_id: 'trestle.question.q' })
    const answered = (fields: Partial<ConversationQuestionRow>) => JSON.stringify(lastBlockOf(fields))
    expect(answered({ answer: '{"type":"text","text":"<because>"}' })).toContain('*&lt;because&gt;*')
    expect(answered({ type: 'choice', options, answer: '{"type":"choice","choice":"s"}' })).toContain('*Small*')
    expect(answered({ type: 'approval', answer: '{"type":"approval","approved":false}' })).toContain('*Reject*')
  })
})
