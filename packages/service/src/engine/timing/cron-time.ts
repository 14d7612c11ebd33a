import { Cron } from 'croner'

/**
 * Returns the first time after another that a cron expression meets.
 *
 * @param expression - Five fields: minute, hour, day of month, month, day of week. Of two days that are both
 *   restricted, either counts.
 * @param afterMs - The time, milliseconds since 1970.
 * @param timezone - An IANA name.
 * @returns Milliseconds since 1970; `undefined` when the expression is not one, or is never met.
 */
export function toCronTime(expression: string, afterMs: number, timezone: string): number | undefined {
  try {
    return new Cron(expression, { timezone, mode: '5-part', paused: true }).nextRun(new Date(afterMs))?.getTime()
  } catch {
    return undefined
  }
}

/**
 * Whether a name is one of an IANA time zone.
 *
 * @param timezone - The name.
 */
export function isTimezone(timezone: string): boolean {
  try {
    new Intl.DateTimeFormat('en', { timeZone: timezone })
    return true
  } catch {
    return false
  }
}
