import { z } from 'zod'
import { queryText } from './input.ts'

const oneOf = (choices: readonly string[]) => z.enum(choices, `must be one of ${choices.join(', ')}`)

/**
 * Returns the schema of a filter with a fixed set of values. Rejects any other value, because it would match nothing
 * and look like an empty result.
 */
export function queryChoice(choices: readonly string[]): z.ZodType<string | undefined> {
  return oneOf(choices).optional()
}

/** Returns the schema of a list of such filter values in a query: a single value, or a repeated parameter. */
export function queryChoices(choices: readonly string[]): z.ZodType<string[] | undefined> {
  const choice = oneOf(choices)
  return z
    .union([choice, z.array(choice).max(100, 'must have at most 100 values')])
    .transform((value) => (Array.isArray(value) ? value : [value]))
    .optional()
}

const zone = /(Z|[+-]\d\d:\d\d)$/
/** A time zone offset without a colon, as many programs write it. */
const shortZone = /(T.*[+-]\d\d)(\d\d)$/

/** Returns the schema of a day or a time in a query, as milliseconds since 1970. The default zone is UTC. */
export function queryTime(): z.ZodType<number | undefined> {
  return z
    .string()
    .max(50, 'must be an ISO 8601 day or time')
    .transform((text) => text.replace(shortZone, '$1:$2'))
    .pipe(z.union([z.iso.date(), z.iso.datetime({ local: true, offset: true })], 'must be an ISO 8601 day or time'))
    .transform((text) => Date.parse(text.includes('T') && !zone.test(text) ? `${text}Z` : text))
    .optional()
}

/**
 * Returns the schema of a cursor. An empty cursor counts as none.
 *
 * @param maxLength - The maximum length.
 */
export function queryCursor(maxLength?: number): z.ZodType<string | undefined> {
  return queryText(maxLength)
}
