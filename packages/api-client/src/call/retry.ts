import type { ResolvedOptions } from '../config/options.ts'
import { ApiError, type ApiErrorCode } from '../error/error.ts'

/** The failures after which the same request is sent again. A 422 never is, and a 500 is not either. */
export const retriedCodes: readonly ApiErrorCode[] = Object.freeze([
  'ConnectionFailed',
  'TimedOut',
  'RequestTimeout',
  'GatewayFailed',
  'RateLimited',
  'Unavailable',
  'IdempotencyInProgress',
])

const firstWaitMs = 500
const longestWaitMs = 8000
const jitterMs = 250

/**
 * Repeats an attempt while it fails with a code that is retried and attempts are left.
 *
 * @param attempt - One attempt; every one sends the same request with the same key.
 * @param options - Limits, clock and sleep.
 * @param signal - Ends the waiting.
 * @throws ApiError - The last attempt's failure, or the first one that is not retried.
 */
export async function retry<T>(
  attempt: () => Promise<T>,
  options: ResolvedOptions,
  signal: AbortSignal | undefined,
): Promise<T> {
  for (let number = 0; ; number++) {
    try {
      return await attempt()
    } catch (error) {
      const waitMs =
        error instanceof ApiError && number < options.maxRetries ? toWait(error, number, options) : undefined
      if (waitMs === undefined) throw error
      await options.sleep(waitMs, signal)
    }
  }
}

/**
 * Returns how long to wait after a failure, or `undefined` when it is final. A wait the API asks for is honored, with a
 * little on top so that many clients do not come back at once; one that is longer than allowed ends the call.
 */
function toWait(error: ApiError, number: number, options: ResolvedOptions): number | undefined {
  // A stored answer would be the same again for as long as it is stored.
  if (!retriedCodes.includes(error.code) || error.replayed === true) return undefined
  const { random, maxRetryAfterMs } = options
  const resetSeconds = error.code === 'RateLimited' ? error.rateLimit?.resetSeconds : undefined
  const askedMs = error.retryAfterMs ?? (resetSeconds === undefined ? undefined : resetSeconds * 1000)
  if (askedMs !== undefined) return askedMs > maxRetryAfterMs ? undefined : askedMs + random() * jitterMs
  return Math.min(firstWaitMs * 2 ** number, longestWaitMs) * (0.5 + random() / 2)
}
