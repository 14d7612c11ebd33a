import { expect, test } from 'vitest'
import { toTextOfPattern } from './text-of-pattern.ts'

test.each<[pattern: string, group: string, expected: string | undefined]>([
  ['^([A-Z]{2})-(\\d{4})$', 'DE', 'DE-1111'],
  ['^(a)(b)(c)(\\d+)$', '77', 'abc77'],
  ['^(?:a)(?<kind>\\w+)$', 'paid', 'apaid'],
  ['^(?:a|(b+))$', 'paid', undefined],
  ['^abc$', 'abc', undefined],
])('%s has a text of which a group is %s', (pattern, group, expected) => {
  expect(toTextOfPattern(pattern, (text) => new RegExp(pattern).test(text), { group })).toBe(expected)
})

test.each(['INV', 'CRN', 'ORD'])('an alternative has a text of its own: %s', (kind) => {
  const branch = ['ORD', 'INV', 'CRN'].indexOf(kind)
  expect(toTextOfPattern('^(ORD|INV|CRN)-\\d$', () => true, { branch })).toMatch(new RegExp(`^${kind}-\\d`))
})
