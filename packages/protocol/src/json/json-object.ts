/** Any JSON value. */
export type JsonValue = string | number | boolean | null | readonly JsonValue[] | { readonly [key: string]: JsonValue }

/** A JSON object with unknown fields. */
export type JsonObject = Record<string, unknown>

/**
 * Returns whether a value is a JSON object: neither `null` nor an array.
 *
 * @example
 * isObject({ id: 7 }) // true
 */
export function isObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/**
 * Parses JSON text; returns undefined if the text is not JSON.
 *
 * @example
 * parseJson('{"id":7}') // { id: 7 }
 */
export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
