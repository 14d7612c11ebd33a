import { expect, test } from 'vitest'
import { isObject } from './json-object.ts'

test.each([
  [{}, true],
  [{ id: 7 }, true],
  [Object.create(null), true],
  [[], false],
  [null, false],
  [undefined, false],
  ['{}', false],
  [7, false],
])('%j is a JSON object: %s', (value, is) => {
  expect(isObject(value)).toBe(is)
})
