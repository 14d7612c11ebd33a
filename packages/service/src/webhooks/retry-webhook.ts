import { readRetryAfter } from '../channels/base/retry.ts'
import type { WebhookOutcome } from '../outbound/post-webhook.ts'

/** The delays between attempts, in milliseconds: three days in total. */
const delaysMs: readonly number[] = [5, 300, 1800, 7200, 18_000, 36_000, 50_400, 72_000, 72_000].map(
  (seconds) => seconds * 1000,
)
/** The jitter, as a fraction of the delay, so that a recovered endpoint does not receive everything at once. */
const spread = 0.2
const maxAskedMs = 24 * 60 * 60_000

/** Longer than the time between two attempts of a delivery, including jitter and the time in the queue. */
export const maxAttemptGapMs: number = 2 * Math.max(maxAskedMs, ...delaysMs)

/**
 * Returns the delay before the next attempt of a failed delivery, in milliseconds; `undefined` after the last attempt.
 *
 * @param attempts - The number of previous attempts.
 */
export function toWebhookDelay(
  attempts: number,
  { isFinal, retryAfter }: WebhookOutcome,
  nowMs: number,
): number | undefined {
  const ownMs = delaysMs[attempts]
  if (ownMs === undefined || isFinal) return undefined
  const askedMs = Math.min(readRetryAfter(retryAfter, nowMs), maxAskedMs)
  return Math.round(Math.max(ownMs, askedMs) * (1 + Math.random() * spread))
}
