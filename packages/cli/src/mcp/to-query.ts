/**
 * Returns a query string with its question mark; empty if no value is set.
 *
 * @param values - The parameters; undefined ones are omitted.
 */
export function toQuery(values: Readonly<Record<string, string | number | undefined>>): string {
  const query = new URLSearchParams()
  for (const [name, value] of Object.entries(values)) if (value !== undefined) query.set(name, String(value))
  return query.size === 0 ? '' : `?${query}`
}
