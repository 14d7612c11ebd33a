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

/**
 * Sets an own property with any name; assigning to `__proto__` would not set one.
 *
 * @example
 * const fields = {}
 * setOwn(fields, '__proto__', 7)
 * Object.keys(fields) // ['__proto__']
 */
export function setOwn(target: object, key: string, value: unknown): void {
  // Assignment is faster, but a property of the prototype may be an accessor or read-only.
  if (!(key in target)) (target as Record<string, unknown>)[key] = value
  else Object.defineProperty(target, key, { value, writable: true, enumerable: true, configurable: true })
}
