import { ApiError } from '../api/api-error.ts'

const perSecond = 20
const capacity = 100
const costs = { single: 1, bulk: 10 } as const
const maxBuckets = 50_000

/** Limits the requests of subscribers in this process. */
export interface SubscriberLimiter {
  /**
   * Consumes the tokens for one call and returns the rate limit headers.
   *
   * @throws {ApiError} 429 if there are too few tokens.
   */
  take(subscriber: string, operation: { readonly cost?: keyof typeof costs }): Readonly<Record<string, string>>
}

interface Bucket {
  tokens: number
  refilledMs: number
}

/**
 * Creates the rate limits of subscribers. They are independent of the plan and of the environment's buckets, so a
 * subscriber cannot use up the limits of others or of the server.
 *
 * @param now - Returns the time, in milliseconds since 1970.
 */
export function createSubscriberLimiter(now: () => number): SubscriberLimiter {
  const buckets = new Map<string, Bucket>()

  function refill(id: string): Bucket {
    const nowMs = now()
    const before = buckets.get(id) ?? { tokens: capacity, refilledMs: nowMs }
    const sinceMs = Math.max(0, nowMs - before.refilledMs)
    const bucket = { tokens: Math.min(capacity, before.tokens + (sinceMs * perSecond) / 1000), refilledMs: nowMs }
    // Moves the entry to the end, so that it is dropped last.
    buckets.delete(id)
    buckets.set(id, bucket)
    const [oldest] = buckets.keys()
    if (buckets.size > maxBuckets && oldest !== undefined) buckets.delete(oldest)
    return bucket
  }

  return {
    take(subscriber, { cost: kind = 'single' }) {
      const bucket = refill(subscriber)
      const missing = costs[kind] - bucket.tokens
      if (missing > 0) {
        const retryAfter = String(Math.ceil(missing / perSecond))
        throw new ApiError(429, 'API rate limit exceeded', {
          headers: { 'retry-after': retryAfter, 'ratelimit-limit': String(capacity), 'ratelimit-remaining': '0' },
        })
      }
      bucket.tokens -= costs[kind]
      return {
        'ratelimit-limit': String(capacity),
        'ratelimit-remaining': String(Math.floor(bucket.tokens)),
        'ratelimit-reset': String(Math.ceil((capacity - bucket.tokens) / perSecond)),
      }
    },
  }
}
