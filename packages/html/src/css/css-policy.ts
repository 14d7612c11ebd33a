import type { HtmlPosition } from '../base/html-position.ts'
import { isSafeUrl } from '../base/safe-url.ts'
import type { CssItem } from './css-items.ts'
import { decodeCss } from './css-tokens.ts'
import { isMessageStyle } from './message-style.ts'

// Without one of these an item has nothing to look for: no call, no escape, no comment, no character beyond ASCII.
const suspicious = /[^\n\r\t -~]|[\\(@<]|\/\*|behav|bind|script|mocha|--!?>/i
const comment = /\/\*[\s\S]*?(?:\*\/|$)/g
const unread = /"[^"]*"|'[^']*'|\/\*[\s\S]*?(?:\*\/|$)/g
// Characters that readers of long ago took for those of ASCII, beside the full-width ones.
const lookalikes: Readonly<Record<string, string>> = { ʀ: 'r', ɪ: 'i', ɴ: 'n', ı: 'i' }

// Ways in which style sheets of some time ran code.
const call = /expression\(|(?:binding|behaviou?r):(?:url|expression)\(/
const scheme = /(?:java|vb|live|j)script:|mocha:|-moz-binding/
// To readers of long ago a `;` ended what no rule can begin with.
const lateAtRule = /;@/
const addressed = /url\(["']?(?:java|vb|live|j)script:/
// How Office is told to draw its shapes.
const officeShapes = /^url\((["']?)#default#vml\1\)(?:!important)?$/
const officeDeclaration = /behavior:url\((["']?)#default#vml\1\)(?=!important|[;}"']|$)/g
const charset = /^(?:["']?)(?:utf-8|us-ascii|iso-8859-\d+|windows-125\d)(?:["']?)$/

/**
 * Returns whether a text of CSS has nothing that could run or load, so that it need not be taken apart.
 *
 * @param css - A style sheet or the value of a `style` attribute, entities decoded.
 */
export function isPlainCss(css: string): boolean {
  return !suspicious.test(css)
}

/**
 * Returns whether an item of CSS runs nothing and loads only what is safe.
 *
 * @param item - The declaration, the at-rule, the rule without its block, or the comment.
 * @param position - Where it is shown; in an app only styles of the message itself are.
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

/**
 * Returns whether CSS as a whole shows nothing that runs, for readers that see its parts otherwise than the standard.
 */
export function isSafeAsWhole(css: string): boolean {
  if (!suspicious.test(css)) return true
  return readingsOf(css).every((text) => {
    const bare = text.replace(officeDeclaration, '')
    return !call.test(bare) && !addressed.test(bare)
  })
}

/** Both readings: with comments as nothing, and with comments as they stand, as some clients read them. */
function readingsOf(text: string): readonly string[] {
  const plain = fold(text)
  return text.includes('/*') ? [fold(text.replace(comment, '')), plain] : [plain]
}

/** The text as the most tolerant reader takes it: escapes decoded, lookalikes in ASCII, nothing else left. */
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
  const inside = decodeCss(text)
    .replace(/^url\(\s*/i, '')
    .replace(/\s*\)$/, '')
  return inside.replace(/^["']|["']$/g, '')
}
