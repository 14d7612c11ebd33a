import type { JsonObject } from '@trestle/protocol'

/** Units of a duration. */
export type TimeUnit = 'seconds' | 'minutes' | 'hours' | 'days' | 'weeks' | 'months'

/** The schema of a {@link TimeUnit}. */
export const timeUnit: JsonObject = Object.freeze({
  enum: ['seconds', 'minutes', 'hours', 'days', 'weeks', 'months'],
})

/** The schema of a number above 0. */
export const above0: JsonObject = Object.freeze({ type: 'number', exclusiveMinimum: 0 })

/** The schema of a cron expression. */
export const cronText: JsonObject = Object.freeze({
  type: 'string',
  format: 'cron',
  errorMessage:
    'must be a cron expression of five fields (minute, hour, day of month, month, day of week) like "0 9 * * 1-5", or ' +
    'six starting with seconds',
})

/** The schema of a path into the payload. */
export const payloadPath: JsonObject = Object.freeze({ type: 'string', minLength: 1 })

/** The schema of a flag. */
export const flag: JsonObject = Object.freeze({ type: 'boolean' })
