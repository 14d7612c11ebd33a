import type { HtmlPosition } from '../base/html-position.ts'
import { isSafeUrl } from '../base/safe-url.ts'
import type { CssItem } from './css-items.ts'
import { decodeCss } from './css-tokens.ts'
import { isMessageStyle } from './message-style.ts'

// An item without any of these is safe: it has no call, escape, comment or non-ASCII character.
const suspicious = /[^\n\r\t -~]|[\\(@<]|\/\*|behav|bind|script|mocha|--!?>/i
const comment = /\/\*[\s\S]*?(?:\*\/|$)/g
const unread = /"[^"]*"|'[^']*'|\/\*[\s\S]*?(?:\*\/|$)/g
// Characters that old clients interpret as ASCII, in addition to full-width ones.
const lookalikes: Readonly<Record<string, string>> = { ʀ: 'r', ɪ: 'i', ɴ: 'n', ı: 'i' }

// Ways in which style sheets have run code in old clients.
const call = /expression\(|(?:binding|behaviou?r):(?:url|expression)\(/
const scheme = /(?:java|vb|live|j)script:|mocha:|-moz-binding/
// Old clients ended a statement at `;`; no valid rule starts after it.
const lateAtRule = /;@/
const addressed = /url\(["']?(?:java|vb|live|j)script:/
// The behavior that Office uses to draw its shapes.
const officeShapes = /^url\((["']?)#default#vml\1\)(?:!important)?$/
const officeDeclaration = /behavior:url\((["']?)#default#vml\1\)(?=!important|[;}"']|$)/g
const charset = /^(?:["']?)(?:utf-8|us-ascii|iso-8859-\d+|windows-125\d)(?:["']?)$/

/**
 * Returns whether CSS contains nothing that could run or load anything, so that it does not have to be parsed.
 *
 * @param css - A style sheet or the value of a `style` attribute, with entities decoded.
 */
export function isPlainCss(css: string): boolean {
  return !suspicious.test(css)
}

/**
 * Returns whether an item of CSS runs no code and only loads safe URLs.
 *
 * @param item - The declaration, the at-rule, the rule without its block, or the comment.
 * @param position - Where the HTML is displayed; in an app, only styles that affect the message itself are allowed.
 */
export function isSafeItem(item: CssItem, position: HtmlPosition): boolean {
  if (item.kind === 'comment') return isSafeAsWhole(item.text)
  if (position === 'inApp' && (item.kind !== 'declaration' || !isMessageStyle(item.text))) return false
  if (!suspicious.test(item.text)) return true
  if (item.hasMarks) return false
  const texts = readingsOf(item.text)
  if (item.kind === 'rule')
    return (
      !texts.some((text) => call.test(text) || lateAtRule.test(text)) && !item.text.replace(unread, '').includes('<')
    )
  if (item.kind === 'declaration' && texts.some(isBehavior)) return texts.every(isOfficeShapes)
  if (texts.some((text) => call.test(text) || scheme.test(text))) return false
  if (item.kind === 'at-rule' && !isSafeAtRule(item, texts[0] ?? '')) return false
  return item.addresses.every(({ text, isUrl }) => !isUrl || isSafeUrl(toAddress(text), 'style', position))
}

/** Checks CSS for code as a whole, for clients that parse it differently from the standard. */
export function isSafeAsWhole(css: string): boolean {
  if (!suspicious.test(css)) return true
  return readingsOf(css).every((text) => {
    const bare = text.replace(officeDeclaration, '')
    return !call.test(bare) && !addressed.test(bare)
  })
}

/** Returns both readings: without comments, and with comments as text, as some clients read them. */
function readingsOf(text: string): readonly string[] {
  const plain = fold(text)
  return text.includes('/*') ? [fold(text.replace(comment, '')), plain] : [plain]
}

/**
 * Returns the text as the most tolerant client interprets it: escapes decoded, lookalikes converted to ASCII, other
 * characters removed.
 */
function fold(text: string): string {
  const decoded = decodeCss(text)
  const plain = /[^\0-~]/.test(decoded) ? decoded.replace(/[\uff01-\uff5eʀɪɴı]/g, toAscii) : decoded
  return plain.replace(/[^!-~]|\\/g, '').toLowerCase()
}

const toAscii = (letter: string): string =>
  letter >= '\uff01' ? String.fromCharCode(letter.charCodeAt(0) - 0xfee0) : (lookalikes[letter] ?? letter)
const isBehavior = (text: string): boolean => /^[^a-z-]*(?:-[a-z]+-)?(?:behaviou?r|binding):/.test(text)
const isOfficeShapes = (text: string): boolean =>
  /^[^a-z-]*behavior:/.test(text) && officeShapes.test(text.slice(text.indexOf(':') + 1))

function isSafeAtRule({ addresses: [first] }: CssItem, text: string): boolean {
  if (text.startsWith('@import')) return first !== undefined && isSafeUrl(toAddress(first.text), 'sheet')
  return !text.startsWith('@charset') || charset.test(text.slice('@charset'.length))
}

function toAddress(text: string): string {
  const decoded = decodeCss(text)
  const whole = decoded.endsWith(')') ? decoded.slice(0, -1).trimEnd() : decoded
  return whole.replace(/^url\(\s*/i, '').replace(/^["']|["']$/g, '')
}
