import { parseUrl } from '@trestle/protocol'
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
  return /^https?:\/\//i.test(url) && parseUrl(url) !== undefined
}

/**
 * Returns a link in Slack's markup, of an address and a label that have been escaped already.
 *
 * @param url - Where it leads.
 * @param label - What it says; the address where it is empty.
 * @returns The link; `undefined` for anything but an address of the web or of mail.
 */
export function toEscapedLink(url: string, label: string): string | undefined {
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
  return toEscapedLink(escapeSlack(url), escapeSlack(label))
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
