/** Escapes a text so that Slack displays it literally. */
export function escapeSlack(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;')
}

/** Returns a text in bold, line by line, because Slack's emphasis ends at the end of a line. */
export function toBold(text: string): string {
  return escapeSlack(text).replaceAll(/\S(?:.*\S)?/g, (line) => `*${line}*`)
}

/**
 * Returns a link in Slack's markup, from an escaped URL and label.
 *
 * @param label - The label; if empty, the URL is used.
 * @returns The link; `undefined` for anything other than a web or mailto URL.
 */
export function toEscapedLink(url: string, label: string): string | undefined {
  if (!/^(https?:\/\/|mailto:)\S*$/i.test(url)) return undefined
  const address = url.replaceAll('|', '%7C')
  return label === '' ? `<${address}>` : `<${address}|${label.replaceAll('|', '¦')}>`
}

/**
 * Returns a link in Slack's markup.
 *
 * @param label - The label; the URL if empty.
 * @returns The link; `undefined` for anything but a web or mailto URL.
 */
export function toSlackLink(url: string, label: string): string | undefined {
  return toEscapedLink(escapeSlack(url), escapeSlack(label))
}

/**
 * Converts a user's Slack message to plain text.
 *
 * @param text - The text, as sent by Slack.
 * @param botUserIds - The bot's ids; a leading mention of one of them is omitted.
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
