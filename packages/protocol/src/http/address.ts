/**
 * Parses a URL, and returns `undefined` for invalid text. Does not use `URL.canParse`: in Node 20, once optimized, it
 * rejects host names with letters such as `ü`.
 *
 * @param text - The URL, absolute unless there is a base.
 * @param base - The base of a relative URL.
 * @returns The URL, or `undefined` if the text is not a URL.
 * @example
 * parseUrl('/api/bridge', 'https://bücher.example')?.href // 'https://xn--bcher-kva.example/api/bridge'
 * parseUrl('bridge') // undefined
 * @source WHATWG URL Standard, "API".
 */
export function parseUrl(text: string, base?: string): URL | undefined {
  try {
    return new URL(text, base)
  } catch {
    return undefined
  }
}

/**
 * Returns whether a text is a web URL.
 *
 * @example
 * isWebAddress('https://a.example') // true
 * isWebAddress('mailto:ada@a.example') // false
 */
export function isWebAddress(text: string): boolean {
  return /^https?:\/\//i.test(text) && parseUrl(text) !== undefined
}
