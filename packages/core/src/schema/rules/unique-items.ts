/**
 * Returns whether no two items of a list are the same by JSON Schema: by value, whatever the order of keys. Takes time in
 * proportion to the list, where comparing each with each would take its square.
 */
export function hasUniqueItems(items: readonly unknown[]): boolean {
  return new Set(items.map(toKey)).size === items.length
}

function toKey(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(toKey).join()}]`
  // Numbers that are the same are written the same, but for -0.
  if (typeof value !== 'object' || value === null)
    return typeof value === 'string' ? JSON.stringify(value) : String(value === 0 ? 0 : value)
  const fields = Object.entries(value).map(([name, inner]) => `${JSON.stringify(name)}:${toKey(inner)}`)
  return `{${fields.sort().join()}}`
}
