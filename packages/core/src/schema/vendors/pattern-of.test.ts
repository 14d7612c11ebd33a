import fc from 'fast-check'
import { expect, test } from 'vitest'
import { draws } from '../../../../../test/scope.ts'
import { patternOf } from './pattern-of.ts'

const anySign = fc.constantFrom(...'aAzZkKbM09_-.,é', '\n', ' ')
const anyText = fc.array(anySign, { maxLength: 8 }).map((signs) => signs.join(''))
const anyClass = fc
  .tuple(
    fc.constantFrom('', '^'),
    fc.array(fc.constantFrom('a-z', 'A-M', '0-9', '!-~', 'k', 'B', '\\d', '\\w', '\\-', 'é', '_'), { minLength: 1 }),
  )
  .map(([not, parts]) => `[${not}${parts.join('')}]`)
const anyAtom = fc.oneof(
  fc.constantFrom('a', 'Z', 'k', 'B', '0', '_', '\\.', '\\w', '\\d', '\\s', '\\b', '.', '^', '$', 'é'),
  anyClass,
)
const { expression } = fc.letrec<{ expression: string; group: string }>((tie) => ({
  group: fc
    .tuple(fc.constantFrom('(', '(?:', '(?=', '(?!', '(?<=', '(?<!', '(?<aName>'), tie('expression'))
    .map(([head, inner]) => `${head}${inner})`),
  expression: fc
    .array(
      fc.tuple(
        fc.oneof({ depthSize: 'small' }, anyAtom, tie('group')),
        fc.constantFrom('', '', '*', '+', '?', '{1,2}', '|'),
      ),
      {
        minLength: 1,
        maxLength: 5,
      },
    )
    .map((parts) => parts.map(([atom, count]) => atom + count).join('')),
}))

function toExpression(source: string, flags: string): RegExp | undefined {
  try {
    return new RegExp(source, flags)
  } catch {
    return undefined
  }
}

test('publishes a pattern that matches exactly like the regular expression with its flags', () => {
  const runs = draws(500, 20_000)
  let publishedCount = 0
  const property = fc.property(
    expression,
    fc.constantFrom('i', 's', 'is', ''),
    fc.array(anyText),
    (source, flags, texts) => {
      const given = toExpression(source, flags)
      const pattern = given && patternOf(given)
      if (!given || pattern === undefined) return
      publishedCount++
      const publishedExpression = new RegExp(pattern)
      for (const text of texts)
        expect([pattern, text, publishedExpression.test(text)]).toEqual([pattern, text, given.test(text)])
    },
  )
  fc.assert(property, { numRuns: runs })
  expect(publishedCount).toBeGreaterThan(runs / 6)
})

test.each([
  [/^[a-z]+$/i, '^[a-zA-Z]+$'],
  [/^go$/i, '^[gG][oO]$'],
  [/^(?<kind>a|b)-\d{2}$/i, '^(?<kind>[aA]|[bB])-\\d{2}$'],
  [/^a.b$/s, '^a[\\s\\S]b$'],
  [/^a$/, '^a$'],
  [/^a$/g, '^a$'],
  [/^a$/m, undefined],
  [/^(a)\1$/i, undefined],
  [/^\x41$/i, undefined],
  [/^[à-ö]$/i, undefined],
  [/^\p{Lu}$/iu, undefined],
  [/^[\x00-z]$/i, undefined],
])('publishes %s as the pattern %s', (expression, pattern) => {
  expect(patternOf(expression)).toBe(pattern)
})
