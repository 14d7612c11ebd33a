/**
 * Returns whether all items of a list are different, as defined by JSON Schema: by value, independent of key order.
 * Runs in linear time.
 */
export function hasUniqueItems(items: readonly unknown[]): boolean {
  return new Set(items.map(toKey)).size === items.length
}

function toKey(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(toKey).join()}]`
  // Equal numbers have equal text, except for -0.
  if (typeof value !== 'object' || value === null)
    return typeof value === 'string' ? JSON.stringify(value) : String(value === 0 ? 0 : value)
  const fields = Object.entries(value).map(([name, inner]) => `${JSON.stringify(name)}:${toKey(inner)}`)
  return `{${fields.sort().join()}}`
}
