import { toPointer } from '@trestle/protocol'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { toMarks } from './code-marks.ts'

const text = `{
  "subject": "Hello",
  "items": [
    "first", { "a/b": null, "a/b": true },
    [1, -2.5]
  ],
  "n\\u0061me": false
}`

test.each([
  ['', 1, 1],
  ['/subject', 2, 3],
  ['/items', 3, 3],
  ['/items/0', 4, 5],
  ['/items/1', 4, 14],
  // The last of two equal keys is in force.
  ['/items/1/a~1b', 4, 29],
  ['/items/2/1', 5, 9],
  ['/name', 7, 3],
  ['/missing', 1, 1],
  ['/items/1/missing', 4, 14],
  ['/items/9', 3, 3],
  ['/subject/none', 2, 3],
])('places %j at line %i, column %i', (path, line, column) => {
  expect(toMarks(text, [{ path, message: 'wrong' }])).toEqual([{ line, column, message: 'wrong' }])
})

test('places an issue of text that is not JSON', () => {
  for (const wrong of ['', '{', '"', '{"a": ]'])
    expect(toMarks(wrong, [{ path: '/a', message: 'wrong' }])).toHaveLength(1)
})

test('places every part of any value at its own text, in the order of the text', () => {
  fc.assert(
    fc.property(fc.jsonValue({ maxDepth: 4 }), fc.integer({ min: 0, max: 4 }), (value, indent) => {
      const text = JSON.stringify(value, null, indent)
      const lineStarts = [0, ...[...text.matchAll(/\n/g)].map(({ index }) => index + 1)]
      const parts = listParts(JSON.parse(text))
      const marks = toMarks(
        text,
        parts.map(({ path }) => ({ path, message: '' })),
      )
      const offsets = marks.map(({ line, column }) => (lineStarts[line - 1] ?? Number.NaN) + column - 1)
      expect(offsets).toEqual([...new Set(offsets)].sort((one, other) => one - other))
      for (const [index, { start }] of parts.entries()) expect(text.startsWith(start, offsets[index])).toBe(true)
    }),
  )
})

/** Returns the parts of a value, with the first characters of their texts: the name in an object, else the value. */
function listParts(value: unknown, path: readonly PropertyKey[] = []): { path: string; start: string }[] {
  if (typeof value !== 'object' || value === null) return []
  return Object.entries(value).flatMap(([key, part]) => {
    const own = [...path, key]
    const shown = JSON.stringify(part)
    const start = Array.isArray(value) ? (typeof part === 'object' ? shown.slice(0, 1) : shown) : JSON.stringify(key)
    return [{ path: toPointer(own), start }, ...listParts(part, own)]
  })
}
