import { expect, test } from 'vitest'
import { toTextOfPattern } from './text-of-pattern.ts'

test.each([
  '^ORD-\\d{6}$',
  '^([A-Z]{2})-(\\d{4,})$',
  '^(?:a|(b+))$',
  '^(?<kind>\\w+)\\.(?!x)[^.]{3}$',
  '^[a-f\\d]{8}-[\\]\\-z]$',
  '^\\u{48}\\x69 \\p{Lu}\\.$',
  '^(?=.*\\d)[a-z\\d]{2,4}?$',
  '^.+@.+\\..{2,3}$',
  'é+',
])('finds a text for %s', (pattern) => {
  const text = toTextOfPattern(pattern, (one) => new RegExp(pattern, 'u').test(one))
  expect(text).toMatch(new RegExp(pattern, 'u'))
})

test('repeats what may be repeated until the text is long enough', () => {
  expect(toTextOfPattern('^[a-z]*$', (text) => text.length >= 30)?.length).toBeGreaterThanOrEqual(30)
})

test.each(['^a(?!.)b$', '[', '(', 'x'.repeat(2000)])('finds none for %s', (pattern) => {
  expect(toTextOfPattern(pattern, () => false)).toBeUndefined()
})
