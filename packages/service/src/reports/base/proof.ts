import { createHash, timingSafeEqual } from 'node:crypto'

/** Providers repeat failed calls for a day at most. A call that is repeated with its old signature changes nothing. */
const dayMs = 24 * 60 * 60_000
/** The maximum age of a signature that the provider renews with each attempt. */
export const fewMs: number = 5 * 60_000

/** Returns whether texts are the same, in constant time. */
export function isSame(left: string, right: string): boolean {
  return timingSafeEqual(hash(left), hash(right))
}

const hash = (text: string): Buffer => createHash('sha256').update(text).digest()

/**
 * Returns whether the time of a signature is acceptable: at most a day old, or the given age, and at most five minutes
 * in the future.
 *
 * @param seconds - Seconds since 1970, as sent.
 */
export function isRecent(seconds: string, nowMs: number, maxAgeMs: number = dayMs): boolean {
  if (!/^\d{1,12}$/.test(seconds)) return false
  const ageMs = nowMs - Number(seconds) * 1000
  return ageMs <= maxAgeMs && ageMs >= -fewMs
}
