import { isDeepStrictEqual } from 'node:util'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { draws } from '../../../../test/scope.ts'
import { findDifference, findMismatch } from './mismatch.ts'

const key = fc.constantFrom('a', 'b', 'c/d', 'e~f', '__proto__', 'constructor')
const { json } = fc.letrec((tie) => ({
  json: fc.oneof(
    { maxDepth: 4 },
    fc.constantFrom(null, true, false, 0, 1, '', 'text', 'TEXT'),
    fc.array(tie('json'), { maxLength: 3 }),
    fc.array(fc.tuple(key, tie('json')), { maxLength: 3 }).map((entries) => Object.fromEntries(entries)),
  ),
}))

/** Reads the value that a JSON pointer refers to. */
function read(value: unknown, pointer: string): unknown {
  return pointer
    .split('/')
    .slice(1)
    .map((part) => part.replaceAll('~1', '/').replaceAll('~0', '~'))
    .reduce<unknown>(
      (owner, part) => (Object.hasOwn(Object(owner), part) ? Reflect.get(Object(owner), part) : undefined),
      value,
    )
}

test('finds the same differences between JSON values as an independent comparison', () => {
  fc.assert(
    fc.property(json, json, (first, second) => {
      for (const [actual, expected] of [
        [first, second],
        [first, structuredClone(first)],
      ]) {
        const difference = findDifference(actual, expected)
        expect(difference === undefined).toBe(isDeepStrictEqual(actual, expected))
        if (!difference) continue
        expect([read(actual, difference.path), read(expected, difference.path)]).toEqual([
          difference.actual,
          difference.expected,
        ])
        expect(isDeepStrictEqual(difference.actual, difference.expected)).toBe(false)
      }
    }),
    { numRuns: draws(500, 20_000) },
  )
})

test('accepts equal values, and objects with extra fields', () => {
  fc.assert(
    fc.property(json, json, (value, further) => {
      expect(findMismatch(structuredClone(value), value)).toBeUndefined()
      expect(findMismatch({ value, further }, { value })).toBeUndefined()
      if (!findMismatch(further, value)) expect(findMismatch({ value: further }, { value })).toBeUndefined()
      else expect(findMismatch({ value: further }, { value })?.path).toMatch(/^\/value/)
    }),
    { numRuns: draws(500, 20_000) },
  )
})

describe('one expectation', () => {
  test.each<[string, unknown, unknown, string | undefined]>([
    ['a longer list', [1, 2], [1], '/1'],
    ['a shorter list', [1], [1, 2], '/1'],
    ['a list for an object', [], {}, ''],
    ['an object for a list', {}, [], ''],
    ['a pattern that fits', 'abc', /b/, undefined],
    ['a pattern that keeps its place', 'abc', /b/g, undefined],
    ['a pattern that does not fit', 'abc', /d/, ''],
    ['a pattern for a number', 7, /7/, ''],
    ['a matcher', { at: 'x' }, { at: expect.any(String) }, undefined],
    ['a matcher that does not fit', { at: 1 }, { at: expect.any(String) }, '/at'],
    ['what every object has', {}, { constructor: Object }, '/constructor'],
    ['nothing for null', {}, { a: null }, '/a'],
    ['NaN', Number.NaN, Number.NaN, undefined],
  ])('%s', (_what, actual, expected, path) => {
    expect(findMismatch(actual, expected)?.path).toBe(path)
  })
})
