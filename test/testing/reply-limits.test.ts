import { card, text } from '@trestle/core'
import { type AgentContext, agent } from '@trestle/core/agents'
import { describe, expect, test, vi } from 'vitest'
import { talkToService } from './talk-to-service.ts'

vi.setConfig({ testTimeout: 60_000 })

type Act = (context: AgentContext) => Promise<unknown>

const x = (length: number): string => 'x'.repeat(length)
const url = (length: number): string => `https://a.test/${x(length - 15)}`
const bytes = new Uint8Array(1)
const option = { value: 'a', label: 'A' }
const file =
  (more: object): Act =>
  ({ reply }) =>
    reply({ files: [{ name: 'a', bytes, ...more }] as never })
const choose =
  (...options: object[]): Act =>
  ({ choose: ask }) =>
    ask('q', { text: 'Which?', options } as never)
const cardOf = (length: number): Act => {
  const empty = JSON.stringify(card({ title: 'T' }, text(''))).length
  return ({ reply }) => reply({ card: card({ title: 'T' }, text(x(length - empty))) })
}

/** A valid value, an invalid one, and its problem. */
const limits: readonly (readonly [string, Act, string, Act])[] = [
  [
    'a text',
    (c) => c.reply(x(100_000)),
    'text has 100001 characters; the maximum is 100000.',
    (c) => c.reply(x(100_001)),
  ],
  ['a card', cardOf(100_000), 'the card has 100001 characters as JSON; the maximum is 100000.', cardOf(100_001)],
  ['the name of a file', file({ name: x(255) }), 'file 0: the name has 256 characters', file({ name: x(256) })],
  [
    'the type of a file',
    file({ mimeType: 'text/plain; charset=utf-8' }),
    'file 0: the mimeType must be a media type such as image/png; got "pdf".',
    file({ mimeType: 'pdf' }),
  ],
  [
    'the length of the type of a file',
    file({ mimeType: `a/${x(253)}` }),
    'file 0: the mimeType has 256 characters',
    file({ mimeType: `a/${x(254)}` }),
  ],
  [
    'the address of a file',
    file({ bytes: undefined, url: url(2048) }),
    'file 0: the url has 2049 characters',
    file({ bytes: undefined, url: url(2049) }),
  ],
  [
    'the scheme of the address of a file',
    file({ bytes: undefined, url: 'http://a' }),
    'file 0: the url must be an http or https address; got "data:text/plain,x".',
    file({ bytes: undefined, url: 'data:text/plain,x' }),
  ],
  [
    'the value of an option',
    choose({ ...option, value: x(2000) }),
    'the value of option 1 has 2001 characters',
    choose(option, { ...option, value: x(2001) }),
  ],
  [
    'the label of an option',
    choose({ ...option, label: x(2000) }),
    'the label of option 0 has 2001 characters',
    choose({ ...option, label: x(2001) }),
  ],
  [
    'the values of options',
    choose(option, { ...option, value: 'b' }),
    'option 2 has the value of option 0; values must differ.',
    choose(option, { ...option, value: 'b' }, option),
  ],
  [
    'the labels of an approval',
    (c) => c.approve('q', { text: 'OK?', labels: { approve: x(255) } }),
    'the label reject has 256 characters',
    (c) => c.approve('q', { text: 'OK?', labels: { reject: x(256) } }),
  ],
  [
    'the value of a question',
    (c) => c.ask('q', { text: 'Why?', value: x(65_534) }),
    'The question "q": the value has 65537 characters as JSON; the maximum is 65536.',
    (c) => c.ask('q', { text: 'Why?', value: x(65_535) }),
  ],
  ['an emoji', (c) => c.react(x(100)), 'react(): the emoji has 101 characters', (c) => c.react(x(101))],
  [
    'metadata',
    (c) => c.setMetadata({ a: x(60_000) }),
    'the data has 65545 characters as JSON',
    (c) => c.setMetadata({ a: x(65_537) }),
  ],
  [
    'a name in metadata',
    (c) => c.setMetadata({ [x(255)]: 1 }),
    'a name has 256 characters',
    (c) => c.setMetadata({ [x(256)]: 1 }),
  ],
  [
    'an emoji of two units',
    (c) => c.reply('\u{1f600}'),
    'text has an unpaired surrogate at position 1, which cannot be stored.',
    (c) => c.reply('x\ud83d'),
  ],
  [
    'control characters',
    (c) => c.reply({ markdown: '\u0001' }),
    'markdown has the character U+0000 at position 0, which cannot be stored.',
    (c) => c.reply({ markdown: '\0' }),
  ],
  ['a summary', (c) => c.resolve(x(10_000)), 'the summary has 10001 characters', (c) => c.resolve(x(10_001))],
]

describe('the limits of replies', () => {
  test('are the same as in the service, and exceeding them is reported before sending', async (context) => {
    const outcomes: [string, string, string][] = []
    const support = agent('support', {
      onMessage: async (turn) => {
        for (const [name, fits, _message, wrong] of limits) {
          const [taken, refused] = [await attempt(fits, turn), await attempt(wrong, turn)]
          outcomes.push([name, taken, refused])
        }
      },
    })
    const { send, path, settled } = await talkToService(support, context)
    await send(`POST ${path}/messages`, { text: 'Go' })
    await settled()
    expect(outcomes).toEqual(limits.map(([name, , message]) => [name, 'taken', expect.stringContaining(message)]))
    for (const [, , errorText] of outcomes) expect(errorText).toMatch(/^TypeError: /)
  })

  test('that only the service can check are reported with its message', async (context) => {
    let errorText = ''
    const support = agent('support', {
      onMessage: async (turn) => {
        await turn.setMetadata({ a: x(40_000) })
        errorText = await attempt((c) => c.setMetadata({ b: x(40_000) }), turn)
      },
    })
    const { send, path, settled } = await talkToService(support, context)
    await send(`POST ${path}/messages`, { text: 'Go' })
    await settled()
    expect(errorText).toBe(
      'ApiRequestFailedError: The REST API answered 422 to the reply of an agent: ' +
        'metadata: of the conversation would have more than 65536 characters as JSON',
    )
  })
})

const attempt = (act: Act, context: AgentContext): Promise<string> => act(context).then(() => 'taken', String)
