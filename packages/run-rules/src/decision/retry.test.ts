import { expect, test } from 'vitest'
import { toRetryWait } from './retry.ts'

const data = { retries: 3, backoffMs: 1000, backoffFactor: 2 }

test('waits longer before each retry, and finally fails', () => {
  expect([0, 1, 2, 3, 4].map((attempts) => toRetryWait(data, attempts))).toEqual([
    1000,
    2000,
    4000,
    undefined,
    undefined,
  ])
})

test('the retry wait is bounded for any values from a bridge', () => {
  expect(toRetryWait({ ...data, backoffMs: 1e12 }, 0)).toBe(86_400_000)
  expect(toRetryWait({ ...data, retries: 1e9, backoffFactor: 1e9 }, 19)).toBe(86_400_000)
  expect(toRetryWait({ ...data, retries: 1e9 }, 20)).toBeUndefined()
  expect(toRetryWait({ retries: 1, backoffMs: -5, backoffFactor: Number.NaN }, 0)).toBe(0)
  expect(toRetryWait({ retries: 1 }, 0)).toBe(0)
})

test.each([
  null,
  undefined,
  'x',
  {},
  { retries: '3' },
  { retries: 0 },
  { retries: -1 },
  { retries: 1.5 },
  Object.create(data),
])('does not retry a failure with %j', (given) => {
  expect(toRetryWait(given, 0)).toBeUndefined()
})
