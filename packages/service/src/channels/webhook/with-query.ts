import { parseUrl } from '@trestle/protocol'
/**
 * Returns a URL with parameters added to its query; a parameter that is there already is replaced.
 *
 * @param url - The URL; a text that is not one is returned as it is, and refused where it is used.
 * @param query - The parameters.
 */
export function withQuery(url: string, query: Readonly<Record<string, string>>): string {
  const changed = parseUrl(url)
  if (Object.keys(query).length === 0 || changed === undefined) return url
  for (const [name, value] of Object.entries(query)) changed.searchParams.set(name, value)
  return changed.href
}
