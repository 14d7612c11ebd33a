import type { JsonObject } from '@trestle/protocol'
import { plain } from './slack-options.ts'
import { shortenMrkdwn, toPlainSections, toSections } from './slack-sections.ts'
import { escapeSlack, toBold, toSlackLink } from './slack-text.ts'

const maxField = 2000

/**
 * Returns whether Slack would interpret part of a text as markup. Slack has no escape for its markup characters, so
 * such a text is sent as plain text, without emphasis.
 */
export function holdsMarkup(text: string): boolean {
  return text.split('\n').some(isMarked)
}

/** Returns whether a pair of delimiters may format the text between them; underscores within words do not. */
function isMarked(line: string): boolean {
  const holdsTwo = (sign: string): boolean => line.indexOf(sign) !== line.lastIndexOf(sign)
  if (/^\s*>/.test(line) || ['*', '~', '`'].some(holdsTwo)) return true
  return holdsTwo('_') && /(?<![\p{L}\p{N}_])_|_(?![\p{L}\p{N}_])/u.test(line)
}

/** Returns a text as bold sections, or as plain sections if it contains markup characters. */
export function toBoldSections(text: string): readonly JsonObject[] {
  return isPlainInBold(text) ? toSections(toBold(text)) : toPlainSections(text)
}

const isPlainInBold = (text: string): boolean => !text.includes('*') && !holdsMarkup(text)

/**
 * Returns a link as sections. A label that contains markup characters is placed before the URL.
 *
 * @param url - The target; anything other than a web or mailto URL is displayed as text.
 */
export function toLinkSections(url: string, label: string): readonly JsonObject[] {
  const slackLink = toSlackLink(url, label)
  if (slackLink === undefined) return toPlainSections(`${label}: ${url}`)
  if (!label.includes('|') && !holdsMarkup(label)) return toSections(slackLink)
  return [...toPlainSections(label), ...toSections(toSlackLink(url, '') ?? '')]
}

/** Returns a field with its label in bold, or without emphasis if the label contains markup characters. */
export function toField(label: string, value: string): JsonObject {
  const text = `${label}\n${value}`
  if (text.trim() === '' || !isPlainInBold(label) || holdsMarkup(value)) return plain(text, maxField)
  return { type: 'mrkdwn', text: shortenMrkdwn(`${toBold(label)}\n${escapeSlack(value)}`, maxField) }
}
