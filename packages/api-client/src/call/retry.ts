import type { ResolvedOptions } from '../config/options.ts'
import { ApiError, type ApiErrorCode } from '../error/error.ts'

/** The errors after which a request is retried. 422 and 500 are not retried. */
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
 * Retries an attempt while it fails with a retryable code and attempts are left.
 *
 * @param attempt - One attempt; each sends the same request with the same key.
 * @throws ApiError - The error from the last attempt, or the first error that is not retryable.
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
 * Returns the delay before a retry, or `undefined` if the error is final. Honors a delay requested by the API, plus
 * jitter so that clients do not retry at the same time. A longer delay than allowed ends the call.
 */
function toWait(error: ApiError, number: number, options: ResolvedOptions): number | undefined {
  // A response stored for an idempotency key would be replayed until it expires, so a retry is useless.
  if (!retriedCodes.includes(error.code) || error.replayed === true) return undefined
  const { random, maxRetryAfterMs } = options
  const resetSeconds = error.code === 'RateLimited' ? error.rateLimit?.resetSeconds : undefined
  const askedMs = error.retryAfterMs ?? (resetSeconds === undefined ? undefined : resetSeconds * 1000)
  if (askedMs !== undefined) return askedMs > maxRetryAfterMs ? undefined : askedMs + random() * jitterMs
  return Math.min(firstWaitMs * 2 ** number, longestWaitMs) * (0.5 + random() / 2)
}
