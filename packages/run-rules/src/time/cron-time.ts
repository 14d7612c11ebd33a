import { Cron } from 'croner'

/**
 * Returns the next time that matches a cron expression.
 *
 * @param expression - Five fields: minute, hour, day of month, month, day of week; or six starting with seconds. If
 * both day fields are restricted, either of them can match.
 * @param afterMs - The time after which to search, in milliseconds since 1970.
 * @returns Milliseconds since 1970, or why there is no such time.
 */
export function toCronTime(expression: string, afterMs: number, timezone: string): number | string {
  try {
    const cron = new Cron(expression, { timezone, mode: '5-or-6-parts', paused: true })
    return cron.nextRun(new Date(afterMs))?.getTime() ?? `the cron expression "${expression}" never matches a time`
  } catch {
    if (!isTimezone(timezone)) return `"${timezone}" is not a time zone`
    return `"${expression}" is not a cron expression with five fields, or six starting with seconds`
  }
}

/**
 * Returns whether a name is an IANA time zone.
 *
 * @example
 * isTimezone('Europe/Berlin') // true
 */
export function isTimezone(timezone: string): boolean {
  try {
    new Intl.DateTimeFormat('en', { timeZone: timezone })
    return true
  } catch {
    return false
  }
}
