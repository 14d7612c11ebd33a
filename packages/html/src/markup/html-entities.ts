// Entities for characters that could obfuscate a URL or a style; no other entity is an ASCII character.
const named: Readonly<Record<string, string>> = {
  ...{ Tab: '\t', NewLine: '\n', excl: '!', quot: '"', QUOT: '"', num: '#', dollar: '$', percnt: '%', amp: '&' },
  ...{ AMP: '&', apos: "'", lpar: '(', rpar: ')', ast: '*', midast: '*', plus: '+', comma: ',', period: '.' },
  ...{ sol: '/', colon: ':', semi: ';', lt: '<', LT: '<', equals: '=', gt: '>', GT: '>', quest: '?', commat: '@' },
  ...{ lsqb: '[', lbrack: '[', bsol: '\\', rsqb: ']', rbrack: ']', Hat: '^', lowbar: '_', UnderBar: '_' },
  ...{ grave: '`', DiacriticalGrave: '`', lcub: '{', lbrace: '{', verbar: '|', vert: '|', VerticalLine: '|' },
  ...{ rcub: '}', rbrace: '}', nbsp: '\u00a0', NonBreakingSpace: '\u00a0', fjlig: 'fj' },
}
const entity = /&(?:#x([0-9a-f]+)|#([0-9]+)|([a-z]+));?/gi

/**
 * Returns an attribute value in which all entities that matter in URLs and styles are decoded.
 *
 * @param text - The value in the source.
 */
export function decodeEntities(text: string): string {
  return text.includes('&') ? text.replace(entity, (...match: (string | undefined)[]) => decodeOne(match)) : text
}

/**
 * Returns the source positions for positions in a decoded value.
 *
 * @param text - The value in the source.
 * @param places - Positions in the result of `decodeEntities`, in ascending order.
 */
export function placesInSource(text: string, places: readonly number[]): readonly number[] {
  const shifts: { readonly from: number; readonly by: number }[] = []
  let by = 0
  for (const match of text.matchAll(entity)) {
    const decoded = decodeOne(match)
    const from = match.index - by + decoded.length
    by += match[0].length - decoded.length
    shifts.push({ from, by })
  }
  let next = 0
  return places.map((place) => {
    while (next < shifts.length && (shifts[next]?.from ?? 0) <= place) next++
    return place + (shifts[next - 1]?.by ?? 0)
  })
}

function decodeOne([whole = '', hex, decimal, name]: readonly (string | undefined)[]): string {
  if (name !== undefined) return (Object.hasOwn(named, name) ? named[name] : undefined) ?? whole
  const code = hex === undefined ? Number(decimal) : Number.parseInt(hex, 16)
  return code <= 0x10ffff ? String.fromCodePoint(code) : '\ufffd'
}
