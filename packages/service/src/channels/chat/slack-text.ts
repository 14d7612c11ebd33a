/**
 * Returns a text that Slack shows as it is written.
 *
 * @param text - Any text.
 */
export function escapeSlack(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;')
}

/**
 * Returns a text of at most so many characters; what is cut off is marked by an ellipsis.
 *
 * @param text - Any text.
 * @param max - The most characters.
 */
export function shorten(text: string, max: number): string {
  if (text.length <= max) return text
  const kept = text.slice(0, max - 1)
  // Half a surrogate pair is not a character.
  return `${/[\ud800-\udbff]$/.test(kept) ? kept.slice(0, -1) : kept}…`
}

// Stand in for finished parts while the rest is looked at. No text holds this character, since no database stores it.
const mark = '\u0000'
const strong = `${mark}b`
const finished = new RegExp(`${mark}(\\d+);`, 'g')

// Every span is bounded: what never ends must not be looked for from each of its beginnings to the end of the text.
const code = /```[\s\S]*?```|`[^`\n]+`/g
const link = /!?\[([^\]\n]{0,500})\]\(([^()\s]{1,2000})\)/g
const heading = /^ {0,3}#{1,6} +([^\n]+)$/gm
const both = /\*\*\*(?=[^\s*])([^*\n]{0,1000}?[^\s*])\*\*\*/g
const bold = /(\*\*|__)(?=\S)([^\n]{0,1000}?\S)\1/g
const italic = /(?<![\w*])\*(?=[^\s*])([^*\n]{0,1000}?[^\s*])\*(?![\w*])/g
const struck = /~~(?=\S)([^\n]{0,1000}?\S)~~/g

/**
 * Returns Markdown in Slack's markup: emphasis, strikethrough, code, links, headings, lists and quotes. Everything else is
 * shown as it is written, and nothing in it can become a mention or a link by Slack's own signs.
 *
 * @param markdown - Text in Markdown.
 */
export function toMrkdwn(markdown: string): string {
  const kept: string[] = []
  const keep = (part: string): string => `${mark}${kept.push(part) - 1};`
  // A link may hold code.
  const restore = (text: string): string =>
    text.replaceAll(finished, (_, index: string) => restore(kept[Number(index)] ?? ''))
  const marked = escapeSlack(markdown.replaceAll(mark, '').replaceAll(code, (part) => keep(toCode(part))))
    .replaceAll(link, (whole, label: string, url: string) => {
      const shown = url.includes(mark) ? undefined : toLink(url, label)
      return shown === undefined ? whole : keep(shown)
    })
    .replaceAll(heading, (_, title: string) => `${strong}${toTitle(title)}${strong}`)
    .replaceAll(/^( *)[*+-] +/gm, '$1• ')
    .replaceAll(/^((?:&gt; ?)+)/gm, (signs) => signs.replaceAll('&gt;', '>'))
    .replaceAll(both, `${strong}_$1_${strong}`)
    .replaceAll(bold, `${strong}$2${strong}`)
    .replaceAll(italic, '_$1_')
    .replaceAll(struck, '~$1~')
    .replaceAll(strong, '*')
  return restore(marked)
}

/** The name of a fence's language would be shown. */
function toCode(part: string): string {
  return escapeSlack(part.startsWith('```') ? part.replace(/^```[\w+-]+(?=\n)/, '```') : part)
}

/** A heading may be closed by the signs it began with, and is bold as a whole. */
function toTitle(title: string): string {
  const text = title.trimEnd().replaceAll('**', '').replaceAll('__', '')
  let end = text.length
  while (text[end - 1] === '#') end--
  return end < text.length && text[end - 1] === ' ' ? text.slice(0, end).trimEnd() : text
}

/**
 * Returns a text as bold, line by line: Slack knows no emphasis that goes on in the next one.
 *
 * @param text - Any text.
 */
export function toBold(text: string): string {
  return escapeSlack(text).replaceAll(/\S(?:.*\S)?/g, (line) => `*${line}*`)
}

/**
 * Returns whether a text is an address of the web.
 *
 * @param url - Any text.
 */
export function isWebAddress(url: string): boolean {
  return /^https?:\/\//i.test(url) && URL.canParse(url)
}

/** The address has been escaped already. */
function toLink(url: string, label: string): string | undefined {
  if (!/^(https?:\/\/|mailto:)\S*$/i.test(url)) return undefined
  const address = url.replaceAll('|', '%7C')
  return label === '' ? `<${address}>` : `<${address}|${label.replaceAll('|', '¦')}>`
}

/**
 * Returns a link in Slack's markup.
 *
 * @param url - Where it leads.
 * @param label - What it says; the address where it is empty.
 * @returns The link; `undefined` for anything but an address of the web or of mail.
 */
export function toSlackLink(url: string, label: string): string | undefined {
  return toLink(escapeSlack(url), escapeSlack(label))
}

/**
 * Returns what a person wrote on Slack as plain text.
 *
 * @param text - The text as Slack sends it.
 * @param botUserIds - The ids of the bot, whose mention at the beginning is left out.
 */
export function fromSlackText(text: string, botUserIds: readonly string[] = []): string {
  return text
    .replace(/^\s*<@(\w+)(?:\|[^>]*)?>[\s,:]*/, (whole, userId: string) => (botUserIds.includes(userId) ? '' : whole))
    .replaceAll(/<([^<>]+)>/g, (_, inner: string) => toPlain(inner))
    .replaceAll('&lt;', '<')
    .replaceAll('&gt;', '>')
    .replaceAll('&amp;', '&')
}

function toPlain(inner: string): string {
  const [target = '', label] = inner.split('|', 2)
  if (/^[@#!]/.test(target)) {
    const sign = target.startsWith('!') ? '@' : target.charAt(0)
    return `${sign}${label?.replace(/^[@#]/, '') || target.slice(1).replace(/^subteam\^/, '')}`
  }
  const address = target.replace(/^mailto:/, '')
  return label === undefined || label === target || label === address ? address : `${label} (${address})`
}
