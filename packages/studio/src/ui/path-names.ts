import { decodePercent } from '@trestle/protocol'
import { useParams } from 'wouter'

/**
 * Encodes a name for a path of the studio. The router decodes a path before it splits it, except for reserved
 * characters (`@ : / + & ? # = , $`), so percent signs are encoded twice.
 *
 * @param name - An id.
 */
export function toPathName(name: string): string {
  return encodeURIComponent(name.replaceAll('%', '%25'))
}

/** Decodes the names of the current path that {@link toPathName} encoded. */
export function usePathNames<TNames extends Readonly<Record<string, string>>>(): Partial<TNames> {
  const given = Object.entries(useParams<Record<string, string>>())
  return Object.fromEntries(
    given.map(([key, text]) => [key, text === undefined ? text : decodePercent(text)]),
  ) as Partial<TNames>
}
