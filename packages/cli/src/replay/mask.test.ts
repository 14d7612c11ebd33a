import type { RunRecording } from '@trestle/api-client'
import { expect, test } from 'vitest'
import { createMask } from './mask.ts'
import { createMaskText } from './mask-text.ts'

const mask = createMaskText(
  new Map([
    ['Ada Lovelace', 'subscriber.name'],
    ['7', 'payload.id'],
    ['table', 'payload.kind'],
    ['a&b "c"', 'payload.company'],
    ['ada@example.com', 'subscriber.email'],
    ['<b>bold', 'payload.html'],
    ['(.*)+$ [x]\\', 'payload.pattern'],
  ]),
)

test.each([
  ['a whole value, in any case', 'Dear ADA LOVELACE', 'Dear [subscriber.name]'],
  ['a word of a value', "Lovelace's order", "[subscriber.name]'s order"],
  ['a short value as a whole word only', 'order 7, 17 items, 7px', 'order [payload.id], 17 items, 7px'],
  ['a value in HTML', 'a&amp;b &quot;c&quot; Ltd', '[payload.company] Ltd'],
  ['a value as templates escape it', 'a&amp;b &#34;c&#34; Ltd', '[payload.company] Ltd'],
  ['a value in a URL', '?c=a%26b%20%22c%22&x', '?c=[payload.company]&x'],
  ['email addresses', 'ada@example.com, eve.b+x@mail.example.net.', '[email], [email].'],
  ['phone numbers', '+49 (30) 901-820 or 030901820', '[phone] or [phone]'],
  [
    'values between tags, but not the names of tags',
    '<table><td>table</td></table>',
    '<table><td>[payload.kind]</td></table>',
  ],
  ['values that start with a tag', '<b>bold', '[payload.html]'],
  ['values with characters of patterns', 'is (.*)+$ [x]\\ ok', 'is [payload.pattern] ok'],
])('masks %s', (_name, text, expected) => {
  expect(mask(text)).toBe(expected)
})

test('keeps labels as they are', () => {
  const twice = createMaskText(
    new Map([
      ['Ada', 'payload.name'],
      ['payload', 'payload.kind'],
    ]),
  )
  expect(twice('Ada has a payload')).toBe('[payload.name] has a [payload.kind]')
})

test('replaces entire strings if there are too many values', () => {
  const many = new Map(Array.from({ length: 2000 }, (_, index) => [`value ${index}`, 'payload']))
  expect(createMaskText(many)('Hello')).toBe('[masked]')
})

test('takes linear time for long text without spaces', () => {
  const long = 'a'.repeat(500_000)
  expect(mask(long)).toBe(long)
})

test('masks results of steps, but not the status of triggered runs', () => {
  const runs = [{ runId: 'r1', subscriberId: 'ada-lovelace', status: 'failed' }]
  const recording = {
    event: { payload: {}, subscriber: {} },
    steps: [
      { stepId: 'invoice', type: 'trigger', result: { status: 'completed', transactionId: 'r0:invoice', runs } },
      { stepId: 'load', type: 'custom', result: { status: 'overdue' } },
    ],
  } as unknown as RunRecording
  const { text } = createMask(recording)
  expect(text('completed, failed, overdue, ada-lovelace')).toBe(
    'completed, failed, [results.status], [results.runs.0.subscriberId]',
  )
})
