import { Cron } from 'croner'

/**
 * Finds the first minute, or second, after a time that a cron expression meets, in UTC.
 *
 * @param expression - Five fields: minute, hour, day of month, month, day of week; or six that begin with the
 *   second. The bridge has checked its form.
 * @param afterMs - The time, milliseconds since 1970.
 * @returns Milliseconds since 1970; `undefined` when it is never met.
 */
export function nextCronMs(expression: string, afterMs: number): number | undefined {
  return new Cron(expression, { timezone: 'UTC', mode: '5-or-6-parts' }).nextRun(new Date(afterMs))?.getTime()
}
