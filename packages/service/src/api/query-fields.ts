import { z } from 'zod'
import { queryText } from './input.ts'

const oneOf = (choices: readonly string[]) => z.enum(choices, `must be one of ${choices.join(', ')}`)

/**
 * Returns the schema of a filter that has a few values: another would find nothing, and look as if there were nothing.
 *
 * @param choices - The values.
 */
export function queryChoice(choices: readonly string[]): z.ZodType<string | undefined> {
  return oneOf(choices).optional()
}

/**
 * Returns the schema of a list of such values in a query: one value, or the key several times.
 *
 * @param choices - The values.
 */
export function queryChoices(choices: readonly string[]): z.ZodType<string[] | undefined> {
  const choice = oneOf(choices)
  return z
    .union([choice, z.array(choice).max(100, 'must have at most 100 values')])
    .transform((value) => (Array.isArray(value) ? value : [value]))
    .optional()
}

const zone = /(Z|[+-]\d\d:\d\d)$/
/** As many programs write it. */
const shortZone = /(T.*[+-]\d\d)(\d\d)$/

/** Returns the schema of a day or a time in a query, as milliseconds since 1970. Without a zone it is one of UTC. */
export function queryTime(): z.ZodType<number | undefined> {
  return z
    .string()
    .transform((text) => text.replace(shortZone, '$1:$2'))
    .pipe(z.union([z.iso.date(), z.iso.datetime({ local: true, offset: true })], 'must be a day or a time, ISO 8601'))
    .transform((text) => Date.parse(text.includes('T') && !zone.test(text) ? `${text}Z` : text))
    .optional()
}

/**
 * Returns the schema of a cursor. A caller who has none may well send an empty one.
 *
 * @param maxLength - Most characters.
 */
export function queryCursor(maxLength?: number): z.ZodType<string | undefined> {
  return queryText(maxLength)
}
