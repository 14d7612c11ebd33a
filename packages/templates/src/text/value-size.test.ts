import { expect, test, vi } from 'vitest'
import { sizeOf } from './value-size.ts'

test.each<[unknown, number]>([
  ['abc', 4],
  [7, 1],
  [null, 1],
  [undefined, 1],
  [['a', 7], 4],
  [{ ab: 'c', d: [] }, 7],
])('the size of %j is %i', (value, size) => {
  expect(sizeOf(value, 100)).toBe(size)
})

test('counts a list each time that it is contained', () => {
  const doubled = Array.from({ length: 40 }).reduce<unknown[]>((inner) => [inner, inner], ['a'])
  expect(sizeOf(doubled, Number.POSITIVE_INFINITY)).toBe(2 ** 42 - 1)
})

test('stops above the maximum, and counts the rest if it is higher the next time', () => {
  const read = vi.fn((_target: unknown[], key: string | symbol) => (key === 'length' ? 1000 : []))
  const list = new Proxy([], { get: read })
  const countReads = (): number => read.mock.calls.filter(([, key]) => key !== 'length').length
  expect(sizeOf([list], 10)).toBeGreaterThan(10)
  expect(countReads()).toBeLessThanOrEqual(10)
  expect(sizeOf([list], 2000)).toBe(1002)
  const reads = countReads()
  expect(sizeOf(list, 2000)).toBe(1001)
  expect(countReads()).toBe(reads)
})
