/**
 * Replaces every occurrence of the secret key in a text. A text longer than `maxLength` is truncated, never inside the
 * key: if the end could be the start of the key, it is removed too.
 */
export type Redact = (text: string, maxLength?: number) => string

const mark = '[secret]'
const minLengthForEncodings = 8
const longestEscape = 20
/** Characters allowed between two key characters if the text was wrapped, or encoded in two bytes each. */
const seam = '(?:=?\\r?\\n|[\\0\\u200b-\\u200d\\ufeff])?'
const namedEntities: Readonly<Record<string, string>> = { '&': 'amp', '<': 'lt', '>': 'gt', '"': 'quot', "'": 'apos' }

/**
 * Creates the function that removes a secret from text: plain, percent-encoded, escaped as in JSON, JavaScript or HTML,
 * in hexadecimal, decimal and Base64, wrapped or not, in any mix of cases and escapes.
 */
export function createRedact(secretKey: string): Redact {
  const longest = secretKey.length * longestEscape
  // Most clients never redact anything.
  let ready: ((text: string) => string) | undefined
  return (text, maxLength = Number.POSITIVE_INFINITY) => {
    ready ??= createReplace(secretKey)
    if (text.length <= maxLength) return ready(text)
    const redacted = ready(text.slice(0, maxLength + longest))
    return redacted.slice(0, Math.max(0, Math.min(maxLength, redacted.length - longest)))
  }
}

/**
 * Returns a copy of a JSON value without the secret, in keys and values.
 *
 * @param redact - Removes the secret from a text.
 */
export function redactValue(value: unknown, redact: Redact): unknown {
  if (typeof value === 'string') return redact(value)
  // A numeric key may be returned as a number.
  if (typeof value === 'number') return redact(String(value)) === String(value) ? value : redact(String(value))
  if (typeof value !== 'object' || value === null) return value
  if (Array.isArray(value)) {
    const items = value.map((item: unknown) => redactValue(item, redact))
    return isSpelled(items, redact) ? mark : items
  }
  return Object.fromEntries(Object.entries(value).map(([name, part]) => [redact(name), redactValue(part, redact)]))
}

/**
 * Returns whether a list spells the secret, either by its bytes (as Node serializes them to JSON) or by its characters.
 */
function isSpelled(items: readonly unknown[], redact: Redact): boolean {
  if (items.length < 2 || !items.every((item) => typeof item === 'number' || typeof item === 'string')) return false
  return [items.join(','), items.join('')].some((text) => redact(text) !== text)
}

function createReplace(secretKey: string): (text: string) => string {
  const characters = [...secretKey].map(toCharacterPattern).join(seam)
  // Short keys would match other text by chance, and remove most of a message.
  if (secretKey.length < minLengthForEncodings) return replaceWith(new RegExp(characters, 'g'))
  const hex = [...secretKey].map(toHex).join('[\\s:,-]{0,3}(?:0x)?')
  const decimal = [...secretKey].map((character) => `0{0,2}${character.charCodeAt(0)}`).join('[\\s,;]{1,3}')
  const plain = replaceWith(new RegExp(`${characters}|${hex}|(?<!\\d)${decimal}(?!\\d)`, 'gi'))
  const encoded = replaceWith(new RegExp([0, 1, 2].map((offset) => toBase64Pattern(secretKey, offset)).join('|'), 'g'))
  return (text) => encoded(plain(text))
}

function replaceWith(pattern: RegExp): (text: string) => string {
  return (text) => text.replace(pattern, mark)
}

/** Returns the pattern for one character. All repetitions are bounded, so that no text makes the search slow. */
function toCharacterPattern(character: string): string {
  const hex = toHex(character)
  const entity = namedEntities[character]
  return `(?:${[
    `\\\\{0,8}${escapeForPattern(character)}`,
    `%(?:25){0,3}${hex}`,
    `%u00${hex}`,
    `=${hex}`,
    `\\\\{1,8}0{0,2}${character.charCodeAt(0).toString(8)}`,
    `\\\\{1,8}u00${hex}`,
    `\\\\{1,8}u\\{0{0,4}${hex}\\}`,
    `\\\\{1,8}x${hex}`,
    `&#0{0,6}${character.charCodeAt(0)};?`,
    `&#x0{0,6}${hex};?`,
    ...(entity === undefined ? [] : [`&${entity};`]),
  ].join('|')})`
}

/**
 * Returns the pattern of the key in Base64, which depends on how many bytes precede it; characters at the ends depend
 * on the neighboring bytes.
 */
function toBase64Pattern(secretKey: string, offset: number): string {
  const encoded = btoa('\0'.repeat(offset) + secretKey)
  const from = Math.ceil((offset * 8) / 6)
  const to = Math.floor(((offset + secretKey.length) * 8) / 6)
  const characters = [...encoded.slice(from, to)].map(escapeForPattern).join('(?:\\r?\\n)?')
  return characters.replaceAll('\\+', '[+-]').replaceAll('/', '[/_]')
}

function toHex(character: string): string {
  return character.charCodeAt(0).toString(16).padStart(2, '0')
}

function escapeForPattern(text: string): string {
  return text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')
}
