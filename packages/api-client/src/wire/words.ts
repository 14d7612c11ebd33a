/**
 * Returns a value of an error body as words, or `undefined` where it says nothing.
 *
 * @param value - Parsed JSON, not nested deeply.
 */
export function toWords(value: unknown): string | undefined {
  if (value === undefined || value === null) return undefined
  if (typeof value === 'string') return value.trim() || undefined
  return Array.isArray(value) ? value.map((item) => toWords(item) ?? '').join('; ') : JSON.stringify(value)
}

/**
 * Returns whether a value is an object with names, not a list.
 *
 * @param value - Anything.
 */
export function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
