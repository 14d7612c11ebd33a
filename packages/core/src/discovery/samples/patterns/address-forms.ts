import { parseUrl } from '@trestle/protocol'
import type { Dictionary } from '../../dictionary/dictionary.ts'

/** So many literals are tried as a part of an address, and so many beside each other. */
const maxParts = 6
const maxPairs = 4

/**
 * Returns the addresses of a place of which a part is what it is compared with: the host, the path, the port, what is
 * asked for.
 *
 * @param dictionary - The literals of the source text.
 * @param name - The name under which code reads the place.
 */
export function toAddresses({ addresses, texts }: Dictionary, name: string): readonly string[] {
  if (!addresses.has(name)) return []
  const near = texts.filter(({ names }) => names.has(name)).map(({ value }) => value)
  const pairs = near.slice(0, maxPairs).flatMap((key) => near.slice(0, maxPairs).map((value) => [key, value] as const))
  return [
    ...near.slice(0, maxParts).flatMap(toParts),
    ...pairs
      .filter(([key, value]) => key !== value)
      .map(([key, value]) => `https://example.com/?${toQuery(key, value)}`),
  ].filter((address) => parseUrl(address) !== undefined)
}

function toParts(value: string): readonly string[] {
  if (/^\d+$/.test(value)) return [`https://example.com:${value}/`, `https://example.com/${value}`]
  // Mostly it is the usual one.
  if (/^[a-z][a-z\d+.-]*:$/i.test(value)) return [`${value}//example.com/`, 'http://example.com/', 'ftp://example.com/']
  if (/^[?#]/.test(value)) return [`https://example.com/${value}`]
  const path = `https://example.com/${value.replace(/^\//, '')}`
  return value.startsWith('/') ? [path] : [`https://${value}/`, path, `https://example.com/?${toQuery(value, value)}`]
}

function toQuery(key: string, value: string): string {
  return new URLSearchParams([[key, value]]).toString()
}
