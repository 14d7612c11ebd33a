import type { JsonObject } from '@trestle/protocol'

const maxSection = 3000

/**
 * Returns a text in Slack's markup as sections, none longer than Slack takes. What goes on in the next section is marked
 * up there, too.
 *
 * @param mrkdwn - The text, whose signs were escaped.
 */
export function toSections(mrkdwn: string): readonly JsonObject[] {
  return splitMrkdwn(mrkdwn, maxSection).map((text) => ({ type: 'section', text: { type: 'mrkdwn', text } }))
}

/**
 * Returns a text as sections that show it as it is written.
 *
 * @param text - The text.
 */
export function toPlainSections(text: string): readonly JsonObject[] {
  return toFilled(pack(text.match(character) ?? [], maxSection)).map((part) => ({
    type: 'section',
    text: { type: 'plain_text', text: part },
  }))
}

/**
 * Returns a text in Slack's markup of at most so many characters; what is cut off is marked by an ellipsis. Nothing that
 * is marked up is left open.
 *
 * @param mrkdwn - The text, whose signs were escaped.
 * @param max - The most characters.
 */
export function shortenMrkdwn(mrkdwn: string, max: number): string {
  return mrkdwn.length <= max ? mrkdwn : `${(splitMrkdwn(mrkdwn, max - 1)[0] ?? '').trimEnd()}…`
}

/** Every code point by itself: half a surrogate pair is not a character. */
const character = /[\s\S]/gu

// Every sign that is not Slack's own was escaped. Emphasis is within a line, and ends at the next of its signs.
const link = '<[^<>]*>'
const code = '`[^`\\n]+`'
const emphasis = (sign: string): string =>
  `(?<!\\w)${sign}(?=\\S)(?:${link}|${code}|[^${sign}\\n<\`])+(?<=\\S)${sign}(?!\\w)`
const span = new RegExp(
  ['```[\\s\\S]*?```', code, link, '&(?:amp|lt|gt);', ...['\\*', '_', '~'].map(emphasis), '[\\s\\S]'].join('|'),
  'gu',
)

function splitMrkdwn(mrkdwn: string, max: number): readonly string[] {
  // No other line begins with this sign, as it is escaped elsewhere.
  if (!/^>/m.test(mrkdwn)) return toFilled(pack(toSpans(mrkdwn, max), max))
  const parts = pack(toSpans(mrkdwn, max - 1), max - 1)
  let isQuoted = false
  const marked = parts.map((part) => {
    const whole = isQuoted ? `>${part}` : part
    isQuoted = /(^|\n)>[^\n]*$/.test(whole)
    return whole
  })
  return toFilled(marked)
}

const toFilled = (parts: readonly string[]): readonly string[] => parts.filter((part) => part.trim() !== '')

/** What may not be torn apart, each no longer than a part may be. */
function toSpans(mrkdwn: string, max: number): readonly string[] {
  return (mrkdwn.match(span) ?? []).flatMap((one) => (one.length <= max ? [one] : toPieces(one, max)))
}

/** What is longer than a part is closed at its end, and begins again in the next one. */
function toPieces(long: string, max: number): readonly string[] {
  if (long.startsWith('<')) return toShorterLink(long, max)
  const sign = long.startsWith('```') ? '```' : long.charAt(0)
  const inside = long.slice(sign.length, -sign.length)
  const room = max - 2 * sign.length - 1
  if (!sign.startsWith('`')) return splitMrkdwn(inside, room).map((part) => `${sign}${part.trim()}${sign}`)
  const parts = toFilled(pack(inside.match(escaped) ?? [], room))
  // What follows the signs directly may be taken for the name of a language.
  return parts.map((part, index) => `${sign}${sign === '```' && index > 0 ? '\n' : ''}${part}${sign}`)
}

const escaped = /&(?:amp|lt|gt);|[\s\S]/gu
const shortestLabel = 20

/** An address cannot be divided: the label is cut, and where that is not enough, both are shown as text. */
function toShorterLink(long: string, max: number): readonly string[] {
  const [url = '', label = url] = long.slice(1, -1).split('|', 2)
  const room = max - url.length - 3
  if (room < shortestLabel) return `${label}: ${url}`.match(escaped) ?? []
  return [`<${url}|${shortenMrkdwn(label, room)}>`]
}

function pack(spans: readonly string[], max: number): readonly string[] {
  const parts: string[] = []
  const rest: string[] = []
  let length = 0
  for (const one of spans) {
    while (length + one.length > max && rest.length > 0) {
      const part = rest.splice(0, findEnd(rest, max)).join('')
      length -= part.length
      parts.push(part)
    }
    rest.push(one)
    length += one.length
  }
  return [...parts, rest.join('')]
}

/** Prefers the end of a line, then that of a word, where that leaves a part at least half full. */
function findEnd(spans: readonly string[], max: number): number {
  for (const sign of ['\n', ' ']) {
    const end = spans.lastIndexOf(sign) + 1
    if (end > 0 && spans.slice(0, end).join('').length > max / 2) return end
  }
  return spans.length
}
