/** Converts a value of an error body to text; returns `undefined` if it is empty. */
export function toText(value: unknown): string | undefined {
  if (value === undefined || value === null) return undefined
  if (typeof value === 'string') return value.trim() || undefined
  return Array.isArray(value) ? value.map((item) => toText(item) ?? '').join('; ') : JSON.stringify(value)
}

/** Returns whether a value is an object with named members, not a list. */
export function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
