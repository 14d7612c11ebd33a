import { expect, test } from 'vitest'
import { escapeHidden } from './escape-hidden.ts'

test('escapes invisible characters as code units', () => {
  expect(escapeHidden('a\u200bb\u202e\n\u{e0001}')).toBe('a\\u200bb\\u202e\\u000a\\udb40\\udc01')
})

test('keeps visible text and chosen characters', () => {
  expect(escapeHidden('Ünïcode 👍🏽\n\t\u2028', '\n\t')).toBe('Ünïcode 👍🏽\n\t\\u2028')
})
