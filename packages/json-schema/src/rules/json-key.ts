/**
 * Returns a text that is equal for equal JSON values, as defined by JSON Schema: by value, independent of key order.
 * Runs in linear time.
 */
export function toJsonKey(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(toJsonKey).join()}]`
  // Equal numbers have equal text, except for -0.
  if (typeof value !== 'object' || value === null)
    return typeof value === 'string' ? JSON.stringify(value) : String(value === 0 ? 0 : value)
  const fields = Object.entries(value).map(([name, inner]) => `${JSON.stringify(name)}:${toJsonKey(inner)}`)
  return `{${fields.sort().join()}}`
}

/** Returns whether all items of a list are different. */
export function hasUniqueItems(items: readonly unknown[]): boolean {
  return new Set(items.map(toJsonKey)).size === items.length
}
