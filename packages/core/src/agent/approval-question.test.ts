import { expect, test } from 'vitest'
import { describeCalls } from './approval-question.ts'

test.each([
  [{ amount: '\u202e00.1 EUR' }, '{"amount":"\\u202e00.1 EUR"}'],
  [{ to: 'a\u200b\u00adda' }, '{"to":"a\\u200b\\u00adda"}'],
  [{ to: '\u0085\u2028\u2066x\ufeff' }, '{"to":"\\u0085\\u2028\\u2066x\\ufeff"}'],
  [{ to: 'x\u{e0041}' }, '{"to":"x\\udb40\\udc41"}'],
  [{ name: 'Zoë 東京 😀' }, '{"name":"Zoë 東京 😀"}'],
])('a question escapes invisible characters: %j', (input, escapedInput) => {
  expect(describeCalls([{ toolName: 'pay', input }])).toBe(`May I run pay ${escapedInput}?`)
})

test('a question that would be too long names its length', () => {
  const input = { text: '\u200b'.repeat(20_000) }
  expect(() => describeCalls([{ toolName: 'pay', input }])).toThrow(/at most 100000 characters.*make it 120\d{3}/)
})

test('a question also shows hidden characters in tool names', () => {
  expect(describeCalls([{ toolName: 'p\u200bay', input: undefined }])).toBe('May I run p\\u200bay {}?')
})
