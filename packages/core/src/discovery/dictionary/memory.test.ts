import { afterEach, expect, test, vi } from 'vitest'
import { type Dictionary, noDictionary } from './dictionary.ts'
import { memoize } from './memory.ts'

afterEach(() => void vi.useRealTimers())

test.each<[string, readonly string[], number]>([
  ['is kept', [], 1],
  ['is made anew after a while where it depends on the clock', ['at'], 2],
])('what is made for a name %s', (_how, clocks, expected) => {
  vi.useFakeTimers({ now: Date.UTC(2026, 0, 1, 12) })
  const dictionary: Dictionary = { ...noDictionary, clocks: new Set(clocks) }
  const make = vi.fn(() => [Date.now()])
  const ask = (): readonly number[] => memoize(dictionary, { kind: 'number', name: 'at' }, make)
  expect(ask()).toBe(ask())
  vi.advanceTimersByTime(60_000)
  expect(ask()).toBe(ask())
  expect(make).toHaveBeenCalledTimes(expected)
})
