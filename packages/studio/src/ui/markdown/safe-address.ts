const safe = new Set(['http:', 'https:', 'mailto:', 'tel:'])

/**
 * Returns an address that a person may be led to; undefined for code, data and what is no absolute address.
 *
 * @param address - As somebody else wrote it.
 */
export function safeAddress(address: unknown): string | undefined {
  if (typeof address !== 'string') return undefined
  try {
    return safe.has(new URL(address).protocol) ? address : undefined
  } catch {
    return undefined
  }
}
