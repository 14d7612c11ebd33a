import { OutboundError } from '@trestle/bridge-client'
import { describe, expect, test } from 'vitest'
import { readRetryAfter, toOutboundFault, toRetryMs } from './retry.ts'

describe('a deferred message', () => {
  test.each([
    [0, 0, 1000],
    [1, 0, 5000],
    [2, 0, 30_000],
    [3, 0, 120_000],
    [4, 0, 300_000],
    [0, 7000, 7000],
    [2, 7000, 30_000],
    [0, 600_000, 600_000],
  ])(
    'after %i attempts with a requested wait of %i ms waits %i ms or slightly longer',
    (attempts, askedMs, expected) => {
      for (let round = 0; round < 50; round++) {
        const retryMs = toRetryMs({ attempts, askedMs })
        expect(retryMs).toBeGreaterThanOrEqual(expected)
        expect(retryMs).toBeLessThanOrEqual(expected * 1.2)
      }
    },
  )

  test('is retried with jitter', () => {
    expect(new Set(Array.from({ length: 20 }, () => toRetryMs({ attempts: 2, askedMs: 0 }))).size).toBeGreaterThan(10)
  })

  test.each([
    [5, 0],
    [0, 600_001],
    [0, Number.POSITIVE_INFINITY],
  ])('after %i attempts with a requested wait of %s ms fails permanently', (attempts, askedMs) => {
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

test('a message counts as not sent only if it failed before sending', () => {
  const faultOf = (phase: OutboundError['phase'], isRefused = false) =>
    toOutboundFault(
      new OutboundError('ETIMEDOUT', 'no', { isRefused, cause: { reason: 'no' }, ...(phase && { phase }) }),
    )
  for (const phase of ['lookup', 'connect', 'secure'] as const)
    expect(faultOf(phase)).toEqual({ blame: 'integration', waitMs: 0 })
  expect(faultOf('prepare')).toEqual({ blame: 'integration' })
  expect(faultOf(undefined, true)).toEqual({ blame: 'integration' })
  expect(faultOf(undefined)).toEqual({ blame: 'unknown' })
  for (const phase of ['upload', 'answer', 'headers'] as const) expect(faultOf(phase)).toEqual({ blame: 'unknown' })
})
