import type { JsonObject } from '../event.ts'

/**
 * Returns whether a value is a JSON object: neither `null` nor an array.
 *
 * @example
 * isObject({ id: 7 }) // true
 */
export function isObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
