import { expect, test, vi } from 'vitest'
import { createTextCache } from './text-cache.ts'

test('creates each value once, including undefined', () => {
  const cache = createTextCache<string | null>()
  const make = vi.fn((text: string) => (text === 'none' ? null : `${text}!`))
  for (let count = 0; count < 3; count++) {
    expect(cache.get('a', make)).toBe('a!')
    expect(cache.get('none', make)).toBeNull()
  }
  expect(make.mock.calls.map(([text]) => text)).toEqual(['a', 'none'])
})

test('evicts the oldest entry beyond the maximum number', () => {
  const cache = createTextCache<string>()
  const make = vi.fn((text: string) => text)
  for (let index = 0; index <= 500; index++) cache.get(`${index}`, make)
  expect(cache.kept().count).toBe(500)
  cache.get('500', make)
  expect(make).toHaveBeenCalledTimes(501)
  cache.get('0', make)
  expect(make).toHaveBeenCalledTimes(502)
})

test('evicts the oldest entries beyond the maximum length', () => {
  const cache = createTextCache<string>()
  for (let index = 0; index < 9; index++) cache.get(`${index}`.repeat(2 ** 20), (text) => text)
  expect(cache.kept()).toEqual({ count: 4, weight: 4 * 2 ** 20 })
})

test('evicts the oldest entries beyond the maximum weight', () => {
  const cache = createTextCache<string>((text) => text.length * 2 ** 20)
  const make = vi.fn((text: string) => text)
  for (const text of ['a', 'bb', 'c', 'd']) cache.get(text, make)
  expect(cache.kept()).toEqual({ count: 3, weight: 4 * 2 ** 20 })
  cache.get('too heavy', make)
  expect(cache.kept()).toEqual({ count: 0, weight: 0 })
  expect(cache.get('bb', make)).toBe('bb')
  expect(make).toHaveBeenCalledTimes(6)
})
