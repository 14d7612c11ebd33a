import type { JsonObject } from '@trestle/protocol'
import { describe, expect, test } from 'vitest'
import { fitMessages } from './fit-messages.ts'

const room = 1000
const user = (content: unknown): JsonObject => ({ role: 'user', content }) as JsonObject
const call = (size = 0): JsonObject => ({
  role: 'assistant',
  content: [{ type: 'tool-call', input: 'i'.repeat(size) }],
})
const lengthOf = (messages: readonly JsonObject[]): number => JSON.stringify(messages).length - '[]'.length

describe('messages that must fit a limit', () => {
  test('are all kept if they fit', () => {
    const all = [{ role: 'system', content: 's' }, user('a'), call(), { role: 'tool', content: [] }]
    expect(fitMessages(all, room)).toEqual(all)
  })

  test.each<[string, string]>([
    ['of letters', 'x'.repeat(2000)],
    ['of what JSON escapes', '"\n'.repeat(1000)],
    ['of pairs', '😀'.repeat(1000)],
    ['of pairs, one further', `x${'😀'.repeat(1000)}`],
  ])('have the user’s message truncated as a last resort: a text %s', (_what, text) => {
    const all = [{ role: 'system', content: 's' }, user('before'), call(), user(text), call(900), call(100)]
    const kept = fitMessages(all, room)
    expect(kept).toEqual([
      all[0],
      user(expect.stringMatching(/^.*\n\n\[… The rest of this message is omitted\.\]$/s)),
      all[5],
    ])
    const keptText = String(kept[1]?.['content']).replace(/\n\n\[….*$/, '')
    expect(text.startsWith(keptText)).toBe(true)
    expect(keptText).not.toMatch(/\p{Surrogate}/u)
    expect(lengthOf(kept)).toBeLessThanOrEqual(room)
    expect(lengthOf(kept)).toBeGreaterThan(room - 10)
  })

  test('have the longest text part of a multi-part message truncated, and its files kept', () => {
    const file = { type: 'file', data: 'QUJD', mediaType: 'text/plain' }
    const all = [user([{ type: 'text', text: 'Look' }, file, { type: 'text', text: 'y'.repeat(2000) }]), call()]
    const [kept] = fitMessages(all, room)
    expect(kept).toMatchObject({ content: [{ text: 'Look' }, file, { text: expect.stringMatching(/^y+\n\n\[…/) }] })
  })

  test.each<[string, JsonObject[], RegExp]>([
    [
      'the instructions',
      [{ role: 'system', content: 's'.repeat(2000) }, user('x'), call()],
      /the instructions at the start alone have 20\d\d\. Pass them to the model as the option system/,
    ],
    [
      'a file',
      [user([{ type: 'file', data: 'A'.repeat(2000) }]), call()],
      /the user's messages alone have 20\d\d\. Pass files to the model by URL/,
    ],
    [
      'a call',
      [user('x'.repeat(500)), call(2000)],
      /the tool calls and their context alone have 20\d\d\. Let tools take and return less/,
    ],
    ['a call without a person', [call(2000)], /the tool calls and their context alone have 20\d\d/],
  ])('are rejected if truncation is not enough, and the error names the largest part: %s', (_what, all, message) => {
    expect(() => fitMessages(all, room)).toThrow(message)
    expect(() => fitMessages(all, room)).toThrow(
      'the messages stored with the question may have at most 65536 characters',
    )
  })
})
