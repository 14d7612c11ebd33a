import type { JsonObject } from '@trestle/protocol'
import { toFilter } from '../patterns/limit-filter.ts'
import { bounds } from './literal-variants.ts'
import { guessType } from './resolve-schema.ts'

/**
 * Returns the value of a place that becomes a text when it is put into one.
 *
 * @param text - The text; of an enum the letters may be in the other case.
 * @param schema - The place's schema, references followed.
 * @returns `undefined` where no value of the place becomes the text.
 */
export function readText(text: string | undefined, schema: JsonObject): unknown {
  if (text === undefined || Object.hasOwn(schema, 'const')) return undefined
  const { enum: values } = schema
  if (Array.isArray(values)) return values.find((one) => String(one).toLowerCase() === text.toLowerCase())
  const types = [schema['type'] ?? guessType(schema)].flat()
  if (types.includes('string') || types.includes('unknown')) return text
  if (types.includes('boolean')) return text === 'true' ? true : text === 'false' ? false : undefined
  const isNumber = text.trim() !== '' && (types.includes('number') || types.includes('integer'))
  const number = isNumber ? Number(text) : Number.NaN
  return Number.isFinite(number) && toFilter(schema, bounds)(number) ? number : undefined
}
