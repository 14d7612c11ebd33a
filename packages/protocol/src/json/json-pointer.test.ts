import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { decodePercent, findPointer, findReference, splitPointer, toPointer } from './json-pointer.ts'

const key = fc.oneof(fc.string(), fc.constantFrom('~', '/', '~1', '~0', '', '%', '%2F', '__proto__', 'constructor'))

test('splits a pointer into the keys it was made from', () => {
  fc.assert(
    fc.property(fc.array(key), (keys) => {
      expect(splitPointer(toPointer(keys))).toEqual(keys)
    }),
  )
})

describe('a value', () => {
  const document = { 'a/b': [{ '~': 1 }, 'text'], '%': 2, '': { '': 3 } }

  test.each([
    ['', document],
    ['/a~1b/0/~0', 1],
    ['/a~1b/1', 'text'],
    ['/%', 2],
    ['//', 3],
    ['/a~1b/2', undefined],
    ['/a~1b/1/length', undefined],
    ['/a~1b/0/~0/x', undefined],
    ['/toString', undefined],
    ['/__proto__', undefined],
  ])('at the pointer %j is found if it is an own property', (pointer, value) => {
    expect(findPointer(document, pointer)).toEqual(value)
  })

  test.each([
    ['#', document],
    ['#/a~1b/0/~0', 1],
    ['#/a~1b/0/%7E0', 1],
    ['#/%25', 2],
    ['#/%', 2],
    ['#a~1b', undefined],
    ['/a~1b', undefined],
    ['other.json#/a~1b', undefined],
  ])('with the reference %j is found within the document only', (reference, value) => {
    expect(findReference(document, reference)).toEqual(value)
  })
})

test('keeps text with invalid percent-encoding', () => {
  expect([decodePercent('%C3%A9'), decodePercent('100%'), decodePercent('%C3')]).toEqual(['é', '100%', '%C3'])
})
