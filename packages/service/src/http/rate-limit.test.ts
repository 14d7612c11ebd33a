import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { draws } from '../../../../test/scope.ts'
import { operations } from '../operations/operations.ts'
import { createStore, drivers } from '../store/stores.fixture.ts'
import { takeTokens } from './rate-limit.ts'

const startMs = 1_800_000_000_000

describe.each(drivers)('rate limit (%s)', (driver) => {
  test('returns limit, remaining tokens, reset and policy in its headers', async (context) => {
    const store = await createStore(driver, context)
    const take = (category: 'events' | 'configuration' | 'global', cost: 'single' | 'bulk') =>
      takeTokens({ category, cost }, 'e', { store, plan: 'free', nowMs: startMs })
    expect((await take('configuration', 'single')).headers).toEqual({
      'ratelimit-limit': '100',
      'ratelimit-remaining': '109',
      'ratelimit-reset': '1',
      'ratelimit-policy':
        '100;w=5;burst=110;comment="token bucket";category="configuration";cost="single";serviceLevel="free"',
    })
    const bulk = await take('configuration', 'bulk')
    expect(bulk.refusal).toBeUndefined()
    expect(bulk.headers).toMatchObject({ 'ratelimit-remaining': '9', 'ratelimit-reset': '6' })
    const refused = await take('configuration', 'bulk')
    expect(refused.refusal).toMatchObject({
      status: 429,
      message: 'API rate limit exceeded',
      details: { headers: { 'retry-after': '5' } },
    })
    expect(refused.headers['ratelimit-policy']).toContain('cost="bulk"')
    expect((await take('events', 'single')).headers).toMatchObject({ 'ratelimit-limit': '300' })
  })

  test('is separate for each environment and category, and does not apply without a plan', async (context) => {
    const store = await createStore(driver, context)
    const options = { store, plan: 'free', nowMs: startMs } as const
    const left = async (environmentId: string, category: 'configuration' | 'global') =>
      (await takeTokens({ category }, environmentId, options)).headers['ratelimit-remaining']
    expect(await left('a', 'configuration')).toBe('109')
    expect(await left('a', 'configuration')).toBe('108')
    expect(await left('b', 'configuration')).toBe('109')
    expect(await left('a', 'global')).toBe('164')
    expect(await takeTokens({ category: 'global' }, 'a', { ...options, plan: 'off' })).toEqual({ headers: {} })
  })

  test('allows as many calls as the specified bucket', async (context) => {
    const store = await createStore(driver, context)
    const call = fc.record({ waitMs: fc.nat({ max: 3000 }), cost: fc.constantFrom('single' as const, 'bulk' as const) })
    let number = 0
    await fc.assert(
      fc.asyncProperty(fc.array(call, { maxLength: 30 }), async (calls) => {
        const environmentId = `model ${number++}`
        let nowMs = startMs
        let tokens = 110
        for (const { waitMs, cost } of calls) {
          nowMs += waitMs
          tokens = Math.min(110, tokens + (waitMs * 20) / 1000)
          const price = cost === 'bulk' ? 100 : 1
          const verdict = await takeTokens({ category: 'configuration', cost }, environmentId, {
            store,
            plan: 'free',
            nowMs,
          })
          // Floating point: exactly at the boundary, either result is correct.
          if (Math.abs(tokens - price) > 1e-6) expect(verdict.refusal === undefined).toBe(tokens > price)
          if (!verdict.refusal) tokens -= price
        }
      }),
      { numRuns: draws(30, 1000) },
    )
  })

  test('starts with a full bucket if the time was set back, and allows no extra calls if clocks differ', async (context) => {
    const store = await createStore(driver, context)
    const take = (nowMs: number) =>
      takeTokens({ category: 'configuration', cost: 'bulk' }, 'e', { store, plan: 'free', nowMs })
    expect((await take(startMs)).refusal).toBeUndefined()
    expect((await take(startMs - 30_000)).refusal).toBeDefined()
    expect((await take(startMs - 3_600_000)).refusal).toBeUndefined()
    expect((await take(startMs - 3_600_000)).refusal).toBeDefined()
    expect((await take(startMs - 3_600_000 + 5000)).refusal).toBeUndefined()
  })

  test('allows no extra calls if they are concurrent', async (context) => {
    const store = await createStore(driver, context)
    const options = { store, plan: 'free', nowMs: startMs } as const
    const verdicts = await Promise.all(
      Array.from({ length: 300 }, () => takeTokens({ category: 'configuration' }, 'e', options)),
    )
    expect(verdicts.filter(({ refusal }) => !refusal)).toHaveLength(110)
  })
})

/** The categories with listed endpoints; every other endpoint is global. */
const named: readonly (readonly [RegExp, string])[] = [
  [/^\/v\d\/events\//, 'events'],
  [/^\/v\d\/(subscribers|topics|channel-connections|channel-endpoints|workflows)(\/|$)/, 'configuration'],
]
const bulk = ['/v1/events/trigger/broadcast', '/v1/events/trigger/bulk', '/v1/subscribers/bulk']

test.each(
  operations
    .filter(({ forSubscriber }) => !forSubscriber)
    .map((each) => [`${each.method} ${each.path}`, each] as const),
)('%s uses the specified bucket', (_line, { path, category, cost = 'single' }) => {
  expect(category).toBe(named.find(([pattern]) => pattern.test(path))?.[1] ?? 'global')
  expect(cost).toBe(bulk.includes(path) ? 'bulk' : 'single')
})
