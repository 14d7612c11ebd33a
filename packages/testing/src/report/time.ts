/** A time: a date, ISO 8601, or milliseconds since 1970. */
export type Time = Date | string | number

/**
 * Returns a time in milliseconds since 1970.
 *
 * @param option - The name of the option.
 * @throws TypeError - The value is not a time.
 */
export function toMs(time: Time, option: string): number {
  // Also accepts dates from another realm, and of a replaced `Date`.
  const atMs = typeof time === 'number' ? time : new Date(time).getTime()
  if (time !== null && Number.isFinite(atMs) && Math.abs(atMs) <= maxMs) return atMs
  throw new TypeError(
    `The option ${option} must be a time (a date, ISO 8601, or milliseconds since 1970); got ${String(time)}.`,
  )
}

// The latest JavaScript date.
const maxMs = 8.64e15
