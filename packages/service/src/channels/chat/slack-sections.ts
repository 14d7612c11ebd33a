import type { JsonObject } from '@trestle/protocol'

const maxSection = 3000

/**
 * Divides a text in Slack's markup into sections of allowed length. Markup that continues in the next section is
 * repeated there.
 *
 * @param mrkdwn - The escaped text.
 */
export function toSections(mrkdwn: string): readonly JsonObject[] {
  return splitMrkdwn(mrkdwn, maxSection).map((text) => ({ type: 'section', text: { type: 'mrkdwn', text } }))
}

/** Divides a text into sections that display it literally. */
export function toPlainSections(text: string): readonly JsonObject[] {
  return toFilled(pack(text.match(character) ?? [], maxSection)).map((part) => ({
    type: 'section',
    text: { type: 'plain_text', text: part },
  }))
}

/**
 * Truncates a text in Slack's markup with an ellipsis. Open markup is closed.
 *
 * @param mrkdwn - The escaped text.
 * @param max - The maximum length.
 */
export function shortenMrkdwn(mrkdwn: string, max: number): string {
  return mrkdwn.length <= max ? mrkdwn : `${(splitMrkdwn(mrkdwn, max - 1)[0] ?? '').trimEnd()}…`
}

/** Matches one code point, because half a surrogate pair is not a character. */
const character = /[\s\S]/gu

// All characters outside Slack's markup are escaped. Emphasis stays within a line, and ends at the next delimiter.
const link = '<[^<>]*>'
const code = '`[^`\\n]+`'
const emphasis = (sign: string): string =>
  `(?<!\\w)${sign}(?=\\S)(?:${link}|${code}|[^${sign}\\n<\`])+(?<=\\S)${sign}(?!\\w)`
const span = new RegExp(
  ['```[\\s\\S]*?```', code, link, '&(?:amp|lt|gt);', ...['\\*', '_', '~'].map(emphasis), '[\\s\\S]'].join('|'),
  'gu',
)

function splitMrkdwn(mrkdwn: string, max: number): readonly string[] {
  // No other line starts with this character, because it is escaped elsewhere.
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

/** Divides a text into unbreakable pieces, each within the maximum length. */
function toSpans(mrkdwn: string, max: number): readonly string[] {
  return (mrkdwn.match(span) ?? []).flatMap((one) => (one.length <= max ? [one] : toPieces(one, max)))
}

/** Divides a longer piece: its markup is closed at the end of a part and reopened in the next one. */
function toPieces(long: string, max: number): readonly string[] {
  if (long.startsWith('<')) return toShorterLink(long, max)
  const sign = long.startsWith('```') ? '```' : long.charAt(0)
  const inside = long.slice(sign.length, -sign.length)
  const room = max - 2 * sign.length - 1
  if (!sign.startsWith('`')) return splitMrkdwn(inside, room).map((part) => `${sign}${part.trim()}${sign}`)
  const parts = toFilled(pack(inside.match(escaped) ?? [], room))
  // Text directly after the delimiter may be taken for a language name.
  return parts.map((part, index) => `${sign}${sign === '```' && index > 0 ? '\n' : ''}${part}${sign}`)
}

const escaped = /&(?:amp|lt|gt);|[\s\S]/gu
const shortestLabel = 20

/** Shortens a link whose URL cannot be divided: truncates the label; if that is not enough, displays both as text. */
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

/** Returns where to break: preferably after a line, otherwise after a word, if the part stays at least half full. */
function findEnd(spans: readonly string[], max: number): number {
  for (const sign of ['\n', ' ']) {
    const end = spans.lastIndexOf(sign) + 1
    if (end > 0 && spans.slice(0, end).join('').length > max / 2) return end
  }
  return spans.length
}
