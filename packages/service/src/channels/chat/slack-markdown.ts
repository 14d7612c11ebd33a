import { escapeSlack, toEscapedLink } from './slack-text.ts'

// Placeholders for converted parts while the rest is being converted. No text contains this character, because no
// database stores it.
const mark = '\u0000'
const strong = `${mark}b`
const finished = new RegExp(`${mark}(\\d+);`, 'g')

// Every span is bounded, so that unclosed spans do not each cause a search to the end of the text.
const fence = /^ {0,3}~{3,}[^\n~]*\n([\s\S]*?)(?:^ {0,3}~{3,}[ \t]*$|(?![\s\S]))/
const code = /```[\s\S]*?```|`[^`\n]+`/
const literal = new RegExp(`${fence.source}|${code.source}|\\\\([!-/:-@[-\`{-~])`, 'gm')
const address = /(?:[^()\s]|\((?:[^()\s]|\([^()\s]{0,200}\)){0,500}\)){1,2000}/
const title = /[ \t]+(?:"[^"\n]{0,500}"|'[^'\n]{0,500}')/
const link = new RegExp(
  `!?\\[([^\\]\\n]{0,500})\\]\\([ \\t]{0,20}(?:&lt;([^\\s<>]{1,2000}?)&gt;|(${address.source}))(?:${title.source})?[ \\t]{0,20}\\)`,
  'g',
)
const heading = /^ {0,3}#{1,6} +([^\n]+)$/gm
const both = /\*\*\*(?=[^\s*])([^*\n]{0,1000}?[^\s*])\*\*\*/g
const bold = /(\*\*|__)(?=\S)([^\n]{0,1000}?\S)\1/g
const italic = /(?<![\w*])\*(?=[^\s*])([^*\n]{0,1000}?[^\s*])\*(?![\w*])/g
const underlined = /(?<![\w_])_(?=[^\s_])([^_\n]{0,1000}?[^\s_])_(?![\w_])/g
const struck = /~~(?=\S)([^\n]{0,1000}?\S)~~/g

/** A converted part, and the escaped character it replaces, if any. */
interface Finished {
  readonly markup: string
  readonly sign?: string
}

/**
 * Converts Markdown to Slack's markup: emphasis, strikethrough, code, links, headings, lists and quotes. Everything
 * else is displayed literally, and cannot become a mention or a link in Slack's own syntax.
 */
export function toMrkdwn(markdown: string): string {
  const kept: Finished[] = []
  const keep = (part: Finished): string => `${mark}${kept.push(part) - 1};`
  // A link may contain code.
  const restore = (text: string): string =>
    text.replaceAll(finished, (_, index: string) => restore(kept[Number(index)]?.markup ?? ''))
  const toAddress = (url: string): string =>
    url.replaceAll(finished, (whole, index: string) => kept[Number(index)]?.sign ?? whole)
  const marked = escapeSlack(keepLiterals(markdown.replaceAll(mark, ''), keep))
    .replaceAll(link, (whole: string, ...[label, framed, bare]: [string, string?, string?]) => {
      const url = toAddress(framed ?? bare ?? '')
      const markup = url.includes(mark) ? undefined : toEscapedLink(url, withoutEmphasis(label))
      return markup === undefined ? whole : keep({ markup })
    })
    .replaceAll(heading, (_, text: string) => `${strong}${toTitle(text)}${strong}`)
    .replaceAll(/^( *)[*+-] +/gm, '$1• ')
    .replaceAll(/^((?:&gt; ?)+)/gm, (signs) => signs.replaceAll('&gt;', '>'))
    .replaceAll(both, `${strong}_$1_${strong}`)
    .replaceAll(bold, `${strong}$2${strong}`)
    .replaceAll(italic, '_$1_')
    .replaceAll(struck, '~$1~')
    .replaceAll(strong, '*')
  return restore(marked)
}

/** Converts escaped characters and code first, because they contain no other markup. */
function keepLiterals(markdown: string, keep: (part: Finished) => string): string {
  return markdown.replaceAll(literal, (part: string, ...[fenced, sign, at]: [string?, string?, number?]) => {
    if (fenced !== undefined) return keep({ markup: toFence(fenced) })
    if (sign === undefined) return keep({ markup: toCode(part) })
    if (sign === '\\' || sign === '|') return sign
    return keep({ markup: toLiteral(markdown, { sign, at: at ?? 0 }), sign: escapeSlack(sign) })
  })
}

/**
 * Makes a markup character literal: Slack has no escape for it, but next to an invisible character it has no effect.
 */
function toLiteral(markdown: string, { sign, at }: { readonly sign: string; readonly at: number }): string {
  const [before = '', after = ''] = [markdown[at - 1], markdown[at + 2]]
  const escapedSign = escapeSlack(sign)
  const startsLine = sign === '>' && /(^|\n)\s*$/.test(markdown.slice(Math.max(0, at - 10), at))
  if (startsLine) return `\u200b${escapedSign}`
  const isAlone = before.trim() === '' && after.trim() === ''
  const isWithin = sign === '_' && /^[\p{L}\p{N}]{2}$/u.test(before + after)
  return !'*_~`'.includes(sign) || isAlone || isWithin ? escapedSign : `\u200b${escapedSign}\u200b`
}

/** Removes the language of a code fence, which Slack would display. */
function toCode(part: string): string {
  return escapeSlack(part.startsWith('```') ? part.replace(/^```[\w+-]+(?=\n)/, '```') : part)
}

/** Converts a code block; Slack's code delimiter is broken up inside it. */
function toFence(inside: string): string {
  const escapedCode = escapeSlack(inside.replace(/\n$/, '')).replaceAll('```', '`\u200b`\u200b`')
  return `\`\`\`\n${escapedCode}\n\`\`\``
}

/**
 * Returns the text of a heading without closing `#` characters and without bold markup, because a heading is bold as a
 * whole.
 */
function toTitle(title: string): string {
  const text = title.trimEnd().replaceAll('**', '').replaceAll('__', '')
  let end = text.length
  while (text[end - 1] === '#') end--
  return end < text.length && text[end - 1] === ' ' ? text.slice(0, end).trimEnd() : text
}

/** Removes emphasis from a link label, where Slack would display the delimiters. */
function withoutEmphasis(label: string): string {
  return label
    .replaceAll(both, '$1')
    .replaceAll(bold, '$2')
    .replaceAll(italic, '$1')
    .replaceAll(underlined, '$1')
    .replaceAll(struck, '$1')
}
