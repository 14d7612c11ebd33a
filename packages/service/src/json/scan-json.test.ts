import fc from 'fast-check'
import { expect, test } from 'vitest'
import { findExceededLimit } from './scan-json.ts'

const bytesOf = (value: unknown) => new TextEncoder().encode(JSON.stringify(value))

/** Counts the parsed value by the same rules. */
function measure(value: unknown): { values: number; depth: number } {
  if (typeof value !== 'object' || value === null) return { values: 1, depth: 0 }
  const inner = Object.values(value).map(measure)
  const values = inner.reduce((sum, one) => sum + one.values, 0)
  // Empty values count as values.
  return { values: 1 + Math.max(1, values), depth: 1 + Math.max(0, ...inner.map(({ depth }) => depth)) }
}

test('counts values like a parser, regardless of string contents', () => {
  const text = fc.constantFrom('', ',', '[[[[', '"', '\\', '\\"', '{"a":[', '\\\\', '\n', 'é😀,')
  const json = fc.jsonValue({ maxDepth: 5, stringUnit: 'grapheme' })
  const value = fc.oneof(json, fc.array(text), fc.dictionary(text, fc.oneof(text, json)))
  fc.assert(
    fc.property(value, fc.integer({ min: 1, max: 12 }), (given, maxValues) => {
      const { values, depth } = measure(JSON.parse(JSON.stringify(given)))
      expect(findExceededLimit(bytesOf(given), { maxValues: values, maxDepth: depth })).toBeUndefined()
      if (values > maxValues) expect(findExceededLimit(bytesOf(given), { maxValues, maxDepth: 100 })).toBe('maxValues')
      if (depth > 0) expect(findExceededLimit(bytesOf(given), { maxValues: 1e6, maxDepth: depth - 1 })).toBe('maxDepth')
    }),
  )
})

test.each(['', '"', '"\\', '{"a', ']]]]', '\0'])('accepts invalid JSON: %j', (text) => {
  expect(findExceededLimit(new TextEncoder().encode(text), { maxValues: 10, maxDepth: 10 })).toBeUndefined()
})
