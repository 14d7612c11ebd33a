import { describe, expect, test } from 'vitest'
import { isBeforeSending, readRetryAfter, toRetryMs } from './retry.ts'

describe('a message that was put off', () => {
  test.each([
    [0, 0, 1000],
    [1, 0, 5000],
    [2, 0, 30_000],
    [3, 0, 120_000],
    [4, 0, 300_000],
    [0, 7000, 7000],
    [2, 7000, 30_000],
    [0, 600_000, 600_000],
  ])('after %i attempts, where %i ms are asked for, waits %i ms or somewhat longer', (attempts, askedMs, expected) => {
    for (let round = 0; round < 50; round++) {
      const retryMs = toRetryMs({ attempts, askedMs })
      expect(retryMs).toBeGreaterThanOrEqual(expected)
      expect(retryMs).toBeLessThanOrEqual(expected * 1.2)
    }
  })

  test('does not come back at the same moment as others', () => {
    expect(new Set(Array.from({ length: 20 }, () => toRetryMs({ attempts: 2, askedMs: 0 }))).size).toBeGreaterThan(10)
  })

  test.each([
    [5, 0],
    [0, 600_001],
    [0, Number.POSITIVE_INFINITY],
  ])('after %i attempts, where %s ms are asked for, is given up', (attempts, askedMs) => {
    expect(toRetryMs({ attempts, askedMs })).toBeUndefined()
  })
})

test.each([
  ['3', 3000],
  ['0.5', 500],
  [' 12 ', 12_000],
  ['Sun, 06 Nov 1994 08:49:40 GMT', 3000],
  ['Sun, 06 Nov 1994 08:49:30 GMT', 0],
  ['-5', 0],
  ['soon', 0],
  ['1.2.3', 0],
  ['', 0],
  [undefined, 0],
])('Retry-After: %s is %i ms', (value, expected) => {
  expect(readRetryAfter(value, Date.UTC(1994, 10, 6, 8, 49, 37))).toBe(expected)
})

test('only what failed before anything was sent is known not to have arrived', () => {
  expect(['ECONNREFUSED', 'EAI_AGAIN'].map(isBeforeSending)).toEqual([true, true])
  expect(
    ['ECONNRESET', 'EHOSTUNREACH', 'EPIPE', 'BridgeRequestTimeout', 'PRIVATE_IP', undefined].some(isBeforeSending),
  ).toBe(false)
})
