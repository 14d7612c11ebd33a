const safe = new Set(['http:', 'https:', 'mailto:', 'tel:'])

/**
 * Returns a URL that is safe to open; undefined for code, data and relative URLs.
 *
 * @param address - An untrusted URL.
 */
export function safeAddress(address: unknown): string | undefined {
  if (typeof address !== 'string') return undefined
  try {
    return safe.has(new URL(address).protocol) ? address : undefined
  } catch {
    return undefined
  }
}
