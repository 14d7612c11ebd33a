/** Kinds of CSS tokens that are relevant for the structure. */
export type CssTokenKind =
  | ('space' | 'comment' | 'string' | 'url' | 'word' | 'at' | 'function' | 'cdo' | 'cdc' | 'other')
  | ('(' | ')' | '[' | ']' | '{' | '}' | ':' | ';')

/** A token of CSS; its text is between `start` and `end`. */
export interface CssToken {
  readonly kind: CssTokenKind
  readonly start: number
  /** The start of the next token. */
  readonly end: number
}

const space = 1
const nameStart = 2
const digit = 4
const classes = new Uint8Array(128)
for (const character of ' \t\r\n\f') classes[character.charCodeAt(0)] = space
for (let code = 48; code < 58; code++) classes[code] = digit
for (const from of [65, 97]) classes.fill(nameStart, from, from + 26)
classes[95] = nameStart
const structural = new Set('()[]{}:;')
const quoteOrEscape = { '"': /["\\\n\r\f]/g, "'": /['\\\n\r\f]/g }
const urlStop = /[)\\]/g

const classOf = (css: string, at: number): number => {
  const code = css.charCodeAt(at)
  // NaN at the end of the text.
  return code < 128 ? (classes[code] ?? 0) : code >= 128 ? nameStart : 0
}
const isEscape = (css: string, at: number): boolean => css[at] === '\\' && !/[\n\r\f]/.test(css[at + 1] ?? '\n')

/**
 * Reads the token at a position.
 *
 * @param css - A style sheet or the value of a `style` attribute.
 * @param start - A position before the end of the CSS.
 * @source CSS Syntax Module Level 3, section 4.3.1, "Consume a token".
 */
export function readCssToken(css: string, start: number): CssToken {
  const first = css[start] ?? ''
  if (structural.has(first)) return { kind: first as CssTokenKind, start, end: start + 1 }
  const type = classOf(css, start)
  if (type === space) return { kind: 'space', start, end: skip(css, start, space) }
  if (first === '"' || first === "'") return { kind: 'string', start, end: endOfString(css, start, first) }
  if (first === '/' && css[start + 1] === '*') {
    const end = css.indexOf('*/', start + 2)
    return { kind: 'comment', start, end: end < 0 ? css.length : end + 2 }
  }
  if (startsNumber(css, start)) return { kind: 'other', start, end: endOfNumber(css, start) }
  if (first === '-' && css.startsWith('-->', start)) return { kind: 'cdc', start, end: start + 3 }
  if (startsName(css, start)) return readWord(css, start)
  if (first === '<' && css.startsWith('<!--', start)) return { kind: 'cdo', start, end: start + 4 }
  if (first === '@' && startsName(css, start + 1)) return { kind: 'at', start, end: endOfName(css, start + 1) }
  if (first === '#') return { kind: 'other', start, end: endOfName(css, start + 1) }
  return { kind: 'other', start, end: start + 1 }
}

function readWord(css: string, start: number): CssToken {
  const end = endOfName(css, start)
  if (css[end] !== '(') return { kind: 'word', start, end }
  // `url`, even if escaped, reads an unquoted argument as plain text.
  if (end - start > 32 || decodeCss(css.slice(start, end)).toLowerCase() !== 'url')
    return { kind: 'function', start, end: end + 1 }
  const inside = skip(css, end + 1, space)
  if (css[inside] === '"' || css[inside] === "'") return { kind: 'function', start, end: end + 1 }
  return { kind: 'url', start, end: endOfUrl(css, inside) }
}

function skip(css: string, start: number, type: number): number {
  let at = start
  while (classOf(css, at) === type) at++
  return at
}

function startsName(css: string, at: number): boolean {
  if (css[at] === '-') return css[at + 1] === '-' || classOf(css, at + 1) === nameStart || isEscape(css, at + 1)
  return classOf(css, at) === nameStart || isEscape(css, at)
}

function endOfName(css: string, start: number): number {
  let at = start
  for (;;) {
    if ((classOf(css, at) & (nameStart | digit)) !== 0 || css[at] === '-') at++
    else if (isEscape(css, at)) at = endOfEscape(css, at)
    else return at
  }
}

const escapes = /\\(?:([0-9a-f]{1,6})(?:\r\n|[ \t\r\n\f])?|([\s\S])|$)/gi

function endOfEscape(css: string, start: number): number {
  const [whole = '\\'] = /^\\(?:[0-9a-f]{1,6}(?:\r\n|[ \t\r\n\f])?|[\s\S])/i.exec(css.slice(start, start + 9)) ?? []
  return start + whole.length
}

function startsNumber(css: string, start: number): boolean {
  const at = css[start] === '+' || css[start] === '-' ? start + 1 : start
  return classOf(css, at) === digit || (css[at] === '.' && classOf(css, at + 1) === digit)
}

function endOfNumber(css: string, start: number): number {
  let at = skip(css, start + 1, digit)
  if (css[at] === '.' && classOf(css, at + 1) === digit) at = skip(css, at + 1, digit)
  if (/^e[+-]?\d/i.test(css.slice(at, at + 3))) at = skip(css, at + 2, digit)
  return startsName(css, at) ? endOfName(css, at) : at
}

/** Returns the end of a string; an unescaped line end also ends it, and is not part of it. */
function endOfString(css: string, start: number, quote: '"' | "'"): number {
  const stop = quoteOrEscape[quote]
  stop.lastIndex = start + 1
  for (let match = stop.exec(css); match; match = stop.exec(css)) {
    if (match[0] === quote) return match.index + 1
    if (match[0] !== '\\') return match.index
    stop.lastIndex = match.index + (css.startsWith('\r\n', match.index + 1) ? 3 : 2)
  }
  return css.length
}

function endOfUrl(css: string, start: number): number {
  urlStop.lastIndex = start
  for (let match = urlStop.exec(css); match; match = urlStop.exec(css)) {
    if (match[0] === ')') return match.index + 1
    urlStop.lastIndex = match.index + 2
  }
  return css.length
}

/**
 * Returns a part of CSS with its escapes decoded.
 *
 * @param text - A name, a string with its quotes, or any other part of CSS.
 */
export function decodeCss(text: string): string {
  if (!text.includes('\\')) return text
  return text.replace(escapes, (_whole, hex?: string, other?: string) => {
    if (hex === undefined) return /[\n\r\f]/.test(other ?? '') ? '' : (other ?? '')
    const code = Number.parseInt(hex, 16)
    return code > 0 && code <= 0x10ffff ? String.fromCodePoint(code) : '\ufffd'
  })
}
