import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { SenderKind } from '../provider/providers.ts'
import { listFaults } from './block-kit.fixture.ts'
import { toCardText } from './card-text.ts'
import { draftChat } from './chat-draft.ts'

const none = { fields: {}, body: {}, headers: {}, query: {} }
const card = {
  type: 'card',
  title: 'Title',
  subtitle: 'Sub',
  imageUrl: 'https://example.com/i.png',
  children: [
    { type: 'text', content: 'plain' },
    { type: 'text', content: 'loud', style: 'bold' },
    { type: 'text', content: 'quiet', style: 'muted' },
    { type: 'divider' },
    { type: 'image', url: 'https://example.com/j.png', alt: 'J' },
    { type: 'link', label: 'Docs', url: 'https://example.com/docs' },
    { type: 'fields', children: [{ type: 'field', label: 'Who', value: 'Ada' }] },
    { type: 'table', headers: ['a', 'b'], rows: [['1', '2']] },
    { type: 'section', children: [{ type: 'text', content: 'inner' }] },
    {
      type: 'actions',
      children: [
        { type: 'link-button', label: 'Open', url: 'https://example.com', style: 'primary', id: 'o' },
        { type: 'button', label: 'Do', id: 'd', value: 'v', style: 'default' },
        { type: 'select', label: 'Pick', id: 'p', options: [{ label: 'One', value: '1' }] },
        { type: 'radio_select', label: 'Choose', id: 'c', options: [] },
      ],
    },
  ],
}

function bodyOf(sender: SenderKind, outputs: Record<string, unknown>, change = {}) {
  const input = {
    outputs,
    sender,
    target: { url: 'https://hooks.example.com/x', headers: {} },
    overrides: none,
    subscriberId: 'ada',
    facts: { messageId: 'm' },
  }
  const draft = draftChat({ ...input, ...change })
  if (draft.outgoing?.kind !== 'request') throw new Error('a request is expected')
  return { ...draft, body: draft.outgoing.body, url: draft.outgoing.url }
}

describe('a chat message', () => {
  test('contains its text in the field that each receiver reads', () => {
    expect(bodyOf('slack', { body: 'Hi' }).body).toEqual({ text: 'Hi' })
    expect(bodyOf('discord', { body: 'Hi' }).body).toEqual({
      content: 'Hi',
      allowed_mentions: { parse: ['users', 'roles'] },
    })
    expect(bodyOf('webhook', { body: 'Hi' }).body).toEqual({ messageId: 'm', text: 'Hi' })
  })

  test('is sent to Slack as blocks, with text for notifications', () => {
    const { body } = bodyOf('slack', { card })
    expect(body['text']).toBe(
      'Title\nSub\nplain\nloud\nquiet\n---\nJ\nDocs: https://example.com/docs\nWho: Ada\na | b\n1 | 2\ninner\nOpen: https://example.com\n[Do]\n[Pick]\n[Choose]',
    )
    const blocks = body['blocks'] as { type: string }[]
    expect(blocks.map(({ type }) => type)).toEqual([
      'header',
      'context',
      'image',
      'section',
      'section',
      'context',
      'divider',
      'image',
      'section',
      'section',
      'section',
      'section',
      'actions',
      'section',
    ])
    expect(blocks[4]).toEqual({ type: 'section', text: { type: 'mrkdwn', text: '*loud*' } })
    // Slack rejects a list without options.
    expect(blocks.at(-1)).toEqual({ type: 'section', text: { type: 'plain_text', text: 'Choose' } })
    expect(blocks.at(-2)).toEqual({
      type: 'actions',
      elements: [
        {
          type: 'button',
          text: { type: 'plain_text', text: 'Open' },
          url: 'https://example.com',
          action_id: 'o',
          style: 'primary',
        },
        { type: 'button', text: { type: 'plain_text', text: 'Do' }, action_id: 'd', value: 'v' },
        {
          type: 'static_select',
          action_id: 'p',
          placeholder: { type: 'plain_text', text: 'Pick' },
          options: [{ text: { type: 'plain_text', text: 'One' }, value: '1' }],
        },
      ],
    })
  })

  test('stays within the limits of Slack for any card content', () => {
    const long = 'x '.repeat(5000)
    const many = <T>(count: number, make: (index: number) => T): T[] =>
      Array.from({ length: count }, (_, at) => make(at))
    const options = many(250, (index) => ({ label: `${index} ${long}`, value: `${index}` }))
    const parts: object[] = [
      { type: 'text', content: `<!channel> & *${long}*` },
      { type: 'text', content: long, style: 'bold' },
      { type: 'text', content: long, style: 'muted' },
      { type: 'image', url: 'javascript:x', alt: long },
      { type: 'link', url: 'https://example.com/', label: long },
      { type: 'fields', children: many(25, () => ({ label: long, value: '' })) },
      {
        type: 'actions',
        children: many(30, (index) => ({ type: 'button', id: `b${index}`, label: long, value: 'v' })),
      },
      { type: 'actions', children: [{ type: 'select', id: 's', label: 'S', options }] },
      { type: 'actions', children: [{ type: 'radio_select', id: 'r', label: 'R', options }] },
      { type: 'actions', children: [{ type: 'link-button', id: 'l', label: 'L', url: 'ftp://example.com' }] },
    ]
    for (const part of parts)
      expect(
        listFaults(bodyOf('slack', { card: { type: 'card', title: long, children: [part] }, body: long }).body),
      ).toEqual([])
    const all = bodyOf('slack', { card: { type: 'card', children: many(200, () => ({ type: 'divider' })) } }).body
    expect(listFaults(all)).toEqual([])
    expect(all['blocks']).toHaveLength(50)
    const mentionRequest = bodyOf('slack', {
      card: { type: 'card', children: [{ type: 'text', content: '<!channel> *b*' }] },
    })
    expect(mentionRequest.body['blocks']).toEqual([
      { type: 'section', text: { type: 'plain_text', text: '<!channel> *b*' } },
    ])
  })

  test('keeps the names and values of the card on Slack, adapted if Slack would reject them', () => {
    const button = (id: string, value?: string) => ({ type: 'button', id, label: 'B', value })
    const link = (id: string) => ({ type: 'link-button', id, label: 'L', url: 'https://example.com' })
    const show = (...children: object[]) => {
      const { body } = bodyOf('slack', { card: { type: 'card', children: [{ type: 'actions', children }] } })
      expect(listFaults(body)).toEqual([])
      // biome-ignore lint/suspicious/noExplicitAny: blocks come in every shape
      return (body['blocks'] as any[]).flatMap(({ elements, accessory }) => elements ?? [accessory])
    }
    const long = 'x'.repeat(300)
    expect(
      show(button('vote', 'yes'), button('vote', 'no'), button('vote#2'), link('vote'), button('vote')).map((one) => [
        one.action_id,
        one.value,
      ]),
    ).toEqual([
      ['vote', 'yes'],
      ['vote#2', 'no'],
      ['vote#2#3', undefined],
      ['vote#4', undefined],
      ['vote#5', undefined],
    ])
    const cut = show(button(long, 'y'.repeat(2500)), button(long), button('x'.repeat(255)))
    expect(cut.map((one) => one.action_id)).toEqual([`${'x'.repeat(252)}…#1`, `${'x'.repeat(252)}…#2`, 'x'.repeat(255)])
    expect(cut[0].value).toBe(`${'y'.repeat(1999)}…`)
    const values = ['', ' ', 'v'.repeat(200), `${'v'.repeat(200)}w`, 'kept', 'v'.repeat(150)]
    const options = values.map((value) => ({ label: 'L', value }))
    for (const type of ['select', 'radio_select']) {
      const [list] = show({ type, id: 's', label: 'L', options, initialOption: values[3] })
      expect(list.options.map(({ value }: { value: string }) => value)).toEqual([
        ...['#1', '#2', `${'v'.repeat(147)}…#3`, `${'v'.repeat(147)}…#4`, 'kept', 'v'.repeat(150)],
      ])
      expect(list.initial_option).toEqual(list.options[3])
    }
  })

  test('is sent to Discord as an embed, with the text outside it if there is one', () => {
    const { body } = bodyOf('discord', { card, body: 'Look' })
    expect(body).toMatchObject({
      content: 'Look',
      embeds: [
        {
          title: 'Title',
          image: { url: 'https://example.com/i.png' },
          fields: [{ name: 'Who', value: 'Ada', inline: true }],
        },
      ],
    })
    expect(bodyOf('discord', { card }).body).not.toHaveProperty('content')
  })

  test('is sent to the address in an override, with its query, and reports a missing address', () => {
    const overrides = {
      ...none,
      fields: { webhookUrl: 'https://other.example.com/y?wait=false&a=1', text: 'T' },
      query: { b: '2' },
    }
    expect(bodyOf('slack', { body: 'Hi' }, { overrides })).toMatchObject({
      url: 'https://other.example.com/y?wait=false&a=1&b=2',
      body: { text: 'T' },
    })
    expect(bodyOf('discord', { body: 'Hi' }, { overrides }).url).toBe('https://other.example.com/y?wait=true&a=1&b=2')
    expect(bodyOf('slack', { body: 'Hi' }, { target: { url: undefined, headers: {} } }).problem).toMatchObject({
      code: 'webhook_url_missing',
      status: 'warning',
    })
    expect(bodyOf('none', { body: 'Hi' }, { target: { url: undefined, headers: {} } }).problem).toBeUndefined()
  })

  test('is signed for the webhook of the integration, but not for an address in an override', () => {
    const target = { url: 'https://hooks.example.com/x', headers: { 'x-key': 'k' }, signingKey: 's', idPath: 'id' }
    const { outgoing } = bodyOf('webhook', { body: 'Hi' }, { target })
    expect(outgoing).toMatchObject({ headers: { 'x-key': 'k' }, signingKey: 's', idPath: 'id' })
    const overrides = { ...none, fields: { webhookUrl: 'https://other.example.com/y' } }
    for (const other of [
      bodyOf('webhook', { body: 'Hi' }, { target, overrides }).outgoing,
      bodyOf('slack', { body: 'Hi' }, { target }).outgoing,
    ]) {
      expect(other).toMatchObject({ headers: {} })
      expect(other).not.toHaveProperty('signingKey')
    }
  })

  test('is created from any card, however deep, without an error', () => {
    const part = fc.letrec((tie) => ({
      part: fc.record({
        type: fc.constantFrom(
          'text',
          'image',
          'divider',
          'link',
          'actions',
          'fields',
          'table',
          'section',
          'select',
          'other',
        ),
        content: fc.jsonValue(),
        label: fc.jsonValue(),
        rows: fc.jsonValue(),
        headers: fc.jsonValue(),
        children: fc.oneof({ maxDepth: 4 }, fc.jsonValue(), fc.array(tie('part'), { maxLength: 3 })),
        options: fc.jsonValue(),
      }),
    })).part
    fc.assert(
      fc.property(fc.array(part, { maxLength: 4 }), fc.jsonValue(), (children, title) => {
        for (const sender of ['slack', 'discord', 'webhook', 'none'] as const)
          expect(JSON.stringify(bodyOf(sender, { card: { type: 'card', title, children } }).body)).toBeTypeOf('string')
      }),
      { numRuns: 200 },
    )
    let deep: object = { type: 'text', content: 'end' }
    for (let depth = 0; depth < 5000; depth++) deep = { type: 'section', children: [deep] }
    expect(toCardText({ children: [deep] })).toBe('')
  })
})
