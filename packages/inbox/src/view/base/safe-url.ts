/** Returns an address that may be followed, or undefined: messages must not run code in the page. */
export function toSafeUrl(url: string | undefined): string | undefined {
  if (!url) return undefined
  try {
    const { protocol } = new URL(url, 'https://page.invalid')
    return ['http:', 'https:', 'mailto:', 'tel:'].includes(protocol) ? url : undefined
  } catch {
    return undefined
  }
}
