import { describe, expect, it } from 'vitest'
import { createTestApi, errorDto, failureOf, json } from '../../fixtures/api.ts'
import { isReplayed, parseRateLimit, parseRetryAfter } from './rate-limit.ts'

const policy = '100;w=5;burst=110;comment="token bucket";category="configuration";cost="single";serviceLevel="free"'

describe('the rate limit headers', () => {
  it('are available on every result and every error', async () => {
    const headers = {
      'ratelimit-limit': '100',
      'ratelimit-remaining': '99',
      'ratelimit-reset': '1',
      'ratelimit-policy': policy,
    }
    const { api } = await createTestApi([json(200, [], headers), errorDto(404, {}, headers)])
    const rateLimit = {
      limit: 100,
      remaining: 99,
      resetSeconds: 1,
      policy: {
        limit: 100,
        windowSeconds: 5,
        burst: 110,
        comment: 'token bucket',
        category: 'configuration',
        cost: 'single',
        serviceLevel: 'free',
      },
    }
    expect((await api.feeds.list()).rateLimit).toEqual(rateLimit)
    expect((await failureOf(api.feeds.list())).rateLimit).toEqual(rateLimit)
  })

  it.each([
    ['', {}],
    ['100', { limit: 100 }],
    ['100; w=1 ;cost=bulk; odd; =; w2=3', { limit: 100, windowSeconds: 1, cost: 'bulk' }],
    ['many;w=long', {}],
    ['60;w=1;burst=;comment="a=b"', { limit: 60, windowSeconds: 1, comment: 'a=b' }],
  ])('tolerate the policy %j', (text, expected) => {
    expect(parseRateLimit(new Headers({ 'ratelimit-policy': text })).policy).toEqual(expected)
  })

  it.each([['-1'], ['NaN'], ['1e3'], ['abc'], ['0x10'], ['']])('are ignored if a number is "%s"', (value) => {
    expect(parseRateLimit(new Headers({ 'ratelimit-limit': value, 'ratelimit-reset': value }))).toEqual({})
  })

  it.each([
    ['100, 100', '3, 3', '1, 1', { limit: 100, remaining: 3, resetSeconds: 1 }],
    ['100,90', '3 , 5', '1, 9', { limit: 90, remaining: 3, resetSeconds: 9 }],
    ['100, many', '-1, 3', ',', {}],
  ])('give the stricter of repeated values: %j', (limit, remaining, reset, expected) => {
    const headers = { 'ratelimit-limit': limit, 'ratelimit-remaining': remaining, 'ratelimit-reset': reset }
    expect(parseRateLimit(new Headers(headers))).toEqual(expected)
  })

  it('survive a round trip for 10 000 generated policies', () => {
    let seed = 7
    const next = (below: number) => {
      seed = (seed * 48271) % 2147483647
      return seed % below
    }
    for (let run = 0; run < 10_000; run++) {
      const wanted = {
        limit: next(1e6),
        windowSeconds: next(100),
        burst: next(1e6),
        category: `c${next(9)}`,
        cost: next(2) ? 'bulk' : 'single',
      }
      const quote = next(2) ? '"' : ''
      const text = `${wanted.limit};w=${wanted.windowSeconds};burst=${wanted.burst};category=${quote}${wanted.category}${quote};cost=${quote}${wanted.cost}${quote}`
      expect(parseRateLimit(new Headers({ 'ratelimit-policy': text })).policy).toEqual(wanted)
    }
  })
})

it('reads Retry-After only in seconds or as a date', () => {
  const nowMs = Date.parse('2026-11-20T10:00:00Z')
  expect(parseRetryAfter('1', nowMs)).toBe(1000)
  expect(parseRetryAfter('1.5', nowMs)).toBe(1500)
  expect(parseRetryAfter('Fri, 20 Nov 2026 10:00:02 GMT', nowMs)).toBe(2000)
  for (const value of [null, '', '-1', '+1', 'Infinity', 'x', 'Fri, 20 Nov 2020 10:00:02 GMT']) {
    expect(parseRetryAfter(value, nowMs)).toBeUndefined()
  }
})

it.each([
  ['true', true],
  ['true, true', true],
  ['TRUE', true],
  ['false, true', true],
  ['false', false],
  ['', false],
  ['untrue', false],
])('reads Idempotency-Replay "%s" as %j', (value, expected) => {
  expect(isReplayed(new Headers({ 'idempotency-replay': value }))).toBe(expected)
})

it('reads a missing Idempotency-Replay as false', () => {
  expect(isReplayed(new Headers())).toBe(false)
})
