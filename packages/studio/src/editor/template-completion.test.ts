import { expect, test } from 'vitest'
import { findCompletion } from './template-completion.ts'

const variables = ['payload.order', 'payload.order.id', 'payload.total', 'subscriber.firstName'].map((path) => ({
  path,
}))

/** The caret is at `^`. */
const complete = (text: string) => {
  const caret = text.indexOf('^')
  const completion = findCompletion(text.replace('^', ''), caret, variables)
  return completion && { ...completion, options: completion.options.map(({ path }) => path) }
}

test('lists all variables at the start of an expression', () => {
  expect(complete('Hello {{^')).toEqual({ from: 8, options: variables.map(({ path }) => path), end: ' }}' })
})

test.each([
  ['Hello {{ pay^', 9, ['payload.order', 'payload.order.id', 'payload.total'], ' }}'],
  ['{{payload.order.^}}', 2, ['payload.order.id'], ''],
  ['{{ PAYLOAD.T^ }}', 3, ['payload.total'], ''],
  ['{{ first^', 3, ['subscriber.firstName'], ' }}'],
  ['{{{ total^', 4, ['payload.total'], ' }}'],
  ['{%- if payload.t^', 7, ['payload.total'], ''],
  ['{{ a }} and {{ subs^ and {{ b }}', 15, ['subscriber.firstName'], ' }}'],
])('completes %s', (text, from, options, end) => {
  expect(complete(text)).toEqual({ from, options, end })
})

test.each([
  'payload.^',
  '{{ payload.total }} payload.^',
  '{{ payload.total | upc^',
  '{{ "payload.^',
  '{% pay^',
  '{{ payload.total^',
  '{{ nothing^',
  `{{ ${'a'.repeat(400)}^`,
])('completes nothing in %s', (text) => {
  expect(complete(text)).toBeUndefined()
})
