// Those that stand for a character a URL or a style could be disguised with; the others stand for none of ASCII.
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
 * Decodes the entities of an attribute's value, as far as they matter for what a URL or a style does.
 *
 * @param text - The value as it stands in the source.
 */
export function decodeEntities(text: string): string {
  if (!text.includes('&')) return text
  return text.replace(entity, (whole: string, ...groups: (string | undefined)[]) => {
    const [hex, decimal, name] = groups
    if (name !== undefined) return (Object.hasOwn(named, name) ? named[name] : undefined) ?? whole
    const code = hex === undefined ? Number(decimal) : Number.parseInt(hex, 16)
    return code <= 0x10ffff ? String.fromCodePoint(code) : '\ufffd'
  })
}
