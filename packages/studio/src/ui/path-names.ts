import { useParams } from 'wouter'

/**
 * Returns a name as a part of a path of the studio. The router decodes a path before it takes it apart, but for what
 * means something in one (`@ : / + & ? # = , $`); a percent sign is written so that it outlasts that.
 *
 * @param name - An id.
 */
export function toPathName(name: string): string {
  return encodeURIComponent(name.replaceAll('%', '%25'))
}

/** Reads the names of the page's path as they were given to {@link toPathName}. */
export function usePathNames<TNames extends Readonly<Record<string, string>>>(): Partial<TNames> {
  const given = Object.entries(useParams<Record<string, string>>())
  return Object.fromEntries(
    given.map(([key, text]) => [key, text === undefined ? text : decode(text)]),
  ) as Partial<TNames>
}

/** A path that somebody wrote by hand may hold anything. */
function decode(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}
