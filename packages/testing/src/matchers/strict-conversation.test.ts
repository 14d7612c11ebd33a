import { agent } from '@trestle/core/agents'
import { describe, expect, test } from 'vitest'
import { testBridge } from '../simulator/test-bridge.ts'
import { assertAsked, assertResolved, assertSaid } from './assert-conversation.ts'
import '../vitest.ts'

const support = agent('support', {
  actions: { refund: {}, reason: {} },
  onMessage: async ({ reply, ask, resolve, subscriber }) => {
    await reply(`Hello ${subscriber?.subscriberId}`)
    await ask('refund', { text: 'Which?' })
    await resolve('done')
  },
})
const free = agent('free', { onMessage: ({ ask }) => ask('anything', { text: 'What?' }) })
const bridge = testBridge({ agents: [support, free] })
const talk = await bridge.converse(support, ['Hi'])

describe('unknown names are errors, so that no test passes because of a typo', () => {
  test.each<[string, unknown, unknown, string]>([
    [
      'an option',
      ['x'],
      { subscribr: 'ada' },
      'Unknown option "subscribr". The options are: network, now, platform, sub',
    ],
    ['an option of a run', ['x'], { replay: 'every-step' }, 'Unknown option "replay"'],
    ['a subscriber', ['x'], { subscriber: '' }, 'The option subscriber must be a subscriber or its id'],
    ['a platform', ['x'], { platform: 7 }, 'The option platform must be a string; got 7'],
    ['a time', ['x'], { now: 'soon' }, 'now'],
    ['a network', ['x'], { network: 'some' }, "must be 'refuse', 'allow' or a list"],
    ['options', ['x'], 'ada', 'The option of bridge.converse must be an object; got "ada"'],
    ['turns', 'hi', {}, 'The turns of a conversation must be a list; got "hi"'],
    ['a field of a turn', [{ message: 'x', after: 5 }], {}, 'Turn 0 must be a string, or have exactly one of'],
  ])('in a conversation: %s', async (_what, turns, options, message) => {
    const begun = bridge.converse(support, turns as never, options as never)
    await expect(begun).rejects.toThrow(TypeError)
    await expect(begun).rejects.toThrow(message)
  })

  test.each<[string, (given: { readonly not: boolean }) => unknown, string]>([
    ['an option', ({ not }) => said(not, /./, { tims: 2 }), 'Unknown option "tims". The only option is: times.'],
    ['options', ({ not }) => said(not, /./, 2), 'The options of a message must be an object; got 2'],
    ['a field', ({ not }) => said(not, { txt: 'x' }), 'A message has no field "txt"'],
    ['nothing', ({ not }) => said(not, null), 'The expected message must be an object of fields; got null'],
    ['an action', ({ not }) => asked(not, 'refnud'), 'Agent "support" has no action "refnud". It has: refund, reason.'],
    ['a type', ({ not }) => asked(not, 'refund', { type: 'aproval' }), '"aproval" is not a question type'],
    ['fields', ({ not }) => asked(not, 'refund', 'Which?'), 'The expected question must be an object of fields'],
    [
      'a summary',
      ({ not }) => resolved(not, { summary: 'x' }),
      'The expected summary must be a string or a regular expression',
    ],
  ])('in a matcher, and in its negation: %s', (_what, match, message) => {
    for (const not of [true, false]) {
      expect(() => match({ not })).toThrow(TypeError)
      expect(() => match({ not })).toThrow(message)
    }
  })

  test('in an assertion', () => {
    expect(() => assertSaid(talk, /./, { tims: 2 } as never)).toThrow('Unknown option "tims"')
    expect(() => assertAsked(talk, 'refnud')).toThrow(TypeError)
    expect(() => assertResolved(talk, { summary: 'x' } as never)).toThrow(TypeError)
  })

  test('and times combined with not is an error', () => {
    expect(() => expect(talk).not.toHaveSaid('x', { times: 2 })).toThrow('The option times cannot be combined with not')
  })
})

test('an option that is undefined does not override that of the bridge', async () => {
  const set = testBridge({ agents: [support], workflows: [], now: '2026-01-01T00:00:00.000Z' })
  expect((await set.converse(support, ['Hi'], { now: undefined })).turns[0]?.at).toBe('2026-01-01T00:00:00.000Z')
})

test('accepts undefined options, matchers, and any question if no action is declared', async () => {
  const options = { subscriber: 'ada', platform: undefined, now: undefined, network: undefined }
  const other = await bridge.converse('support', ['Hi'], options as never)
  expect(other).toHaveSaid('Hello ada', {})
  expect(other).toHaveSaid(expect.objectContaining({ text: 'Hello ada' }), { times: undefined } as never)
  expect(other).toHaveAsked('refund', { type: 'text' })
  expect(other).not.toHaveAsked('reason')
  expect(other).toHaveBeenResolved(expect.stringContaining('don') as never)
  expect(await bridge.converse(free, ['Hi'])).not.toHaveAsked('whatever')
})

const subject = (not: boolean) => (not ? expect(talk).not : expect(talk))
const said = (not: boolean, ...given: unknown[]): void => subject(not).toHaveSaid(...(given as [never, never]))
const asked = (not: boolean, ...given: unknown[]): void => subject(not).toHaveAsked(...(given as [never, never]))
const resolved = (not: boolean, given: unknown): void => subject(not).toHaveBeenResolved(given as never)
