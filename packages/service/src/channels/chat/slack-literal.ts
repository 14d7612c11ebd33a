import type { JsonObject } from '@trestle/protocol'
import { plain } from './slack-options.ts'
import { shortenMrkdwn, toPlainSections, toSections } from './slack-sections.ts'
import { escapeSlack, toBold, toSlackLink } from './slack-text.ts'

const maxField = 2000

/**
 * Returns whether Slack would take something in a text for its markup. It has no sign that takes the effect of its signs
 * away, so such a text is shown as plain text, without emphasis.
 *
 * @param text - Any text.
 */
export function holdsMarkup(text: string): boolean {
  return text.split('\n').some(isMarked)
}

/** Two of a sign may mark what is between them; underscores within words do not. */
function isMarked(line: string): boolean {
  const holdsTwo = (sign: string): boolean => line.indexOf(sign) !== line.lastIndexOf(sign)
  if (/^\s*>/.test(line) || ['*', '~', '`'].some(holdsTwo)) return true
  return holdsTwo('_') && /(?<![\p{L}\p{N}_])_|_(?![\p{L}\p{N}_])/u.test(line)
}

/**
 * Returns a text as bold sections; as plain ones where it holds signs of markup itself.
 *
 * @param text - The text.
 */
export function toBoldSections(text: string): readonly JsonObject[] {
  return isPlainInBold(text) ? toSections(toBold(text)) : toPlainSections(text)
}

const isPlainInBold = (text: string): boolean => !text.includes('*') && !holdsMarkup(text)

/**
 * Returns a link as sections. A label that holds signs of markup stands above its address.
 *
 * @param url - Where it leads; anything but an address of the web or of mail is shown as text.
 * @param label - What it says.
 */
export function toLinkSections(url: string, label: string): readonly JsonObject[] {
  const shown = toSlackLink(url, label)
  if (shown === undefined) return toPlainSections(`${label}: ${url}`)
  if (!label.includes('|') && !holdsMarkup(label)) return toSections(shown)
  return [...toPlainSections(label), ...toSections(toSlackLink(url, '') ?? '')]
}

/**
 * Returns a field with its label in bold; without emphasis where it holds signs of markup itself.
 *
 * @param label - The label.
 * @param value - The value.
 */
export function toField(label: string, value: string): JsonObject {
  const text = `${label}\n${value}`
  if (text.trim() === '' || !isPlainInBold(label) || holdsMarkup(value)) return plain(text, maxField)
  return { type: 'mrkdwn', text: shortenMrkdwn(`${toBold(label)}\n${escapeSlack(value)}`, maxField) }
}
