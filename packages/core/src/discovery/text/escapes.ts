const shortEscapes: Readonly<Record<string, string>> = {
  n: '\n',
  t: '\t',
  r: '\r',
  b: '\b',
  f: '\f',
  v: '\v',
  '0': '\0',
}
const code = /x([\da-fA-F]{2})|u([\da-fA-F]{4})|u\{([\da-fA-F]{1,6})\}/y

/**
 * Reads an escape sequence in a string or a template.
 *
 * @param source - The source text.
 * @param at - The index of its backslash.
 * @returns Its value, and the index of its last character.
 */
export function readEscape(source: string, at: number): { readonly value: string; readonly last: number } {
  const escaped = source[at + 1] ?? ''
  const last = at + 1
  const short = shortEscapes[escaped]
  if (short !== undefined) return { value: short, last }
  if (escaped === '\n') return { value: '', last }
  code.lastIndex = last
  const match = escaped === 'x' || escaped === 'u' ? code.exec(source) : null
  if (!match) return { value: escaped, last }
  // A surrogate is a separate character here; its other half follows.
  const point = Number.parseInt(match[1] ?? match[2] ?? match[3] ?? '0', 16)
  const value = point > 0x10ffff ? '' : point > 0xffff ? String.fromCodePoint(point) : String.fromCharCode(point)
  return { value, last: last + match[0].length - 1 }
}
