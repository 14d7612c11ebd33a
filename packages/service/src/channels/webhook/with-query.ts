import { parseUrl } from '@trestle/protocol'
/**
 * Adds parameters to the query of a URL, replacing existing ones.
 *
 * @param url - The URL. An invalid URL is returned unchanged, and rejected where it is used.
 */
export function withQuery(url: string, query: Readonly<Record<string, string>>): string {
  const changed = parseUrl(url)
  if (Object.keys(query).length === 0 || changed === undefined) return url
  for (const [name, value] of Object.entries(query)) changed.searchParams.set(name, value)
  return changed.href
}
