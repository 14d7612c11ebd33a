import { expect, test } from 'vitest'
import { weighTemplate } from './template-weight.ts'

test.each([
  ['plain { text } %', 16],
  ['a{color:red} @media print{b{c:d}}', 33],
  ['{{a}}', 5 + 5 * 16],
  ['x{{a}}y{%b%} z', 14 + 10 * 16],
  ['{{ a', 4 + 6 * 16],
  ['{{ "}}" | append: a }}x', 23 + 22 * 16],
  ['{{{{a}}', 7 + 9 * 16],
])('the weight of %s is %i', (text, weight) => {
  expect(weighTemplate(text)).toBe(weight)
})

test('quotes and line breaks hide no part of an output', () => {
  const filters = ' | append: a, a, a'.repeat(100)
  for (const start of ['{{ a', '{{ "{{"', '{{ "}} {{"', '{{ "%}"', '{% liquid\n echo "{{"\n echo a', '{%- echo "{%}}"'])
    for (const end of ['}}', '%}'])
      expect(weighTemplate(`${start}${filters}${end} x`)).toBeGreaterThan(filters.length * 16)
})

test('a cache has space for few templates of outputs only, and for many usual ones', () => {
  const space = 4 * 2 ** 20
  expect(space / weighTemplate('{{a}}'.repeat(20_000))).toBeLessThan(3)
  const email = `${'x'.repeat(100)}{{ payload.customer.name }}`.repeat(50)
  expect(space / weighTemplate(email)).toBeGreaterThan(100)
})
