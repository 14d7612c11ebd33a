import type { HtmlPosition } from '../base/html-position.ts'
import { type CssItem, type CssRange, findRefused } from './css-items.ts'
import { isPlainCss, isSafeAsWhole, isSafeItem } from './css-policy.ts'
import { readCssToken } from './css-tokens.ts'

/** A part that was removed from CSS. */
export interface RemovedCss {
  /** The kind; `style` is the whole style sheet, if it cannot be split into items. */
  readonly kind: 'property' | 'at-rule' | 'rule' | 'style'
  /** The name of the property or of the at-rule, or the selector. */
  readonly name: string
  readonly start: number
}

/** The result of cleaning CSS. */
export interface CleanCss {
  /** The ranges to remove, in order. */
  readonly refused: readonly CssRange[]
  /** The removals to report, excluding comments and comment delimiters. */
  readonly removed: readonly RemovedCss[]
}

const nothing: CleanCss = { refused: [], removed: [] }
const whole = (css: string): CleanCss => ({
  refused: [{ start: 0, end: css.length }],
  removed: [{ kind: 'style', name: 'style', start: 0 }],
})
// Text that could be interpreted as a tag, or as the end of a comment around the style sheet.
const tagLike = /<[a-z/!?]|--!?>/i

/** Finds the declarations in a `style` attribute that must be removed. */
export function cleanDeclarations(css: string, position: HtmlPosition): CleanCss {
  if (position !== 'inApp' && isPlainCss(css)) return nothing
  const unsafeItems = findUnsafe(css, false, position)
  return isSafeAsWhole(cut(css, unsafeItems.refused)) ? unsafeItems : whole(css)
}

/**
 * Returns a style sheet without declarations and at-rules that run code or load unsafe URLs. The rest is unchanged, except
 * that text that could be read as a tag is escaped.
 *
 * @param css - The content of a `style` element.
 */
export function cleanSheet(css: string): { readonly css: string; readonly removed: readonly RemovedCss[] } {
  if (isPlainCss(css)) return { css, removed: [] }
  const { refused, removed } = findUnsafe(css, true, 'email')
  const remaining = cut(css, refused)
  const written = tagLike.test(remaining) ? writePlainly(remaining) : remaining
  if (!isSafeAsWhole(written) || tagLike.test(written)) return { css: '', removed: whole(css).removed }
  return { css: written, removed }
}

function findUnsafe(css: string, isSheet: boolean, position: HtmlPosition): CleanCss {
  const removed: RemovedCss[] = []
  const accepts = (item: CssItem): boolean => {
    if (isSafeItem(item, position)) return true
    const { kind, start } = item
    if (kind !== 'comment')
      removed.push({ kind: kind === 'declaration' ? 'property' : kind, name: nameOf(item), start })
    return false
  }
  return { refused: findRefused(css, isSheet, accepts), removed }
}

function nameOf({ kind, text }: CssItem): string {
  const name = kind === 'declaration' ? text.split(':', 1)[0] : kind === 'at-rule' ? text.split(/[\s"'(]/, 1)[0] : text
  return (name ?? '').trim()
}

function cut(css: string, refused: readonly CssRange[]): string {
  let out = ''
  let at = 0
  for (const { start, end } of refused) {
    out += css.slice(at, start)
    at = end
  }
  return out + css.slice(at)
}

/** Escapes `<` and comment ends, or separates them from letters. */
function writePlainly(css: string): string {
  let out = ''
  for (let at = 0; at < css.length; ) {
    const { kind, start, end } = readCssToken(css, at)
    const text = css.slice(start, end)
    at = end
    if (kind === 'comment') out += tagLike.test(text) ? separatorAt(css, start, end) : text
    else if (kind === 'cdo' || kind === 'cdc') continue
    else if (text === '<') out += /[a-z/!?]/i.test(css[end] ?? '') ? '< ' : '<'
    else if (text === '>' && /--!?$/.test(css.slice(Math.max(0, start - 3), start))) out += ' >'
    else if (kind === 'string' || kind === 'url' || text.includes('<') || text.includes('>')) out += escapeMarks(text)
    else out += text
  }
  return out
}

/** Returns what replaces a removed comment, so that the texts around it are not joined. */
function separatorAt(css: string, start: number, end: number): string {
  const isApart = start === 0 || end === css.length || /\s/.test(css[start - 1] ?? '') || /\s/.test(css[end] ?? '')
  return isApart ? '' : '/**/'
}

function escapeMarks(text: string): string {
  if (!tagLike.test(text)) return text
  return text.replace(/\\[\s\S]|[<>]/g, (mark) => {
    const code = mark.endsWith('<') ? '\\3c ' : mark.endsWith('>') ? '\\3e ' : mark
    return code
  })
}
