/**
 * Reads the address of a bridge, a service or anything else, without an error for what is none. `URL.canParse` is not
 * asked: in Node 20, once it is called often, it denies host names with letters such as `ü`.
 *
 * @param text - The address, absolute unless there is a base.
 * @param base - What a relative address is relative to.
 * @returns The URL, or `undefined` when the text is none.
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
