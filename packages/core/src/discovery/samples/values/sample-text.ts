import type { JsonObject } from '@trestle/protocol'
import { createTextCache } from '../../../base/text-cache.ts'

const byFormat: Readonly<Record<string, string>> = {
  email: 'user@example.com',
  'idn-email': 'user@example.com',
  uri: 'https://example.com/',
  url: 'https://example.com/',
  iri: 'https://example.com/',
  'uri-reference': '/path',
  'date-time': '2026-01-01T12:00:00.000Z',
  date: '2026-01-01',
  time: '12:00:00Z',
  duration: 'P1D',
  uuid: '00000000-0000-4000-8000-000000000001',
  hostname: 'example.com',
  'idn-hostname': 'example.com',
  ipv4: '192.0.2.1',
  ipv6: '2001:db8::1',
  'json-pointer': '/path',
  regex: '.*',
  cron: '0 9 * * *',
  'uri-template': 'https://example.com/{id}',
  'relative-json-pointer': '0',
  e164: '+15550100',
  cuid: 'cjld2cjxh0000qzrmn831i7rn',
  cuid2: 'tz4a98xxat96iws9zmbrgj3a',
  ulid: '01ARZ3NDEKTSV4RRFFQ69G5FAV',
  nanoid: 'V1StGXR8_Z5jdHi6B-myT',
  base64: 'c2FtcGxl',
  base64url: 'c2FtcGxl',
  color: '#336699',
  currency: 'EUR',
  locale: 'en-US',
  language: 'en',
  country: 'US',
  timezone: 'UTC',
  unit: 'hours',
}

/** Formats, by the last word of a property name. */
const byWord: readonly (readonly [RegExp, string])[] = [
  [/^(url|uri|link|href|website|webpage|homepage|avatar|image|img|logo|icon|photo|picture|banner|thumbnail)$/, 'url'],
  [/^(e?mail|email)$/, 'email'],
  [/^(phone|mobile|tel|telephone|msisdn)$/, 'e164'],
  [/^(at|timestamp|datetime)$/, 'date-time'],
  [/^(date|day|birthday|deadline)$/, 'date'],
  [/^(cron|schedule)$/, 'cron'],
  [/^(uuid|guid)$/, 'uuid'],
  [/^(host|hostname|domain)$/, 'hostname'],
  [/^(ip|ipv4)$/, 'ipv4'],
  [/^(color|colour)$/, 'color'],
  [/^currency$/, 'currency'],
  [/^locale$/, 'locale'],
  [/^(lang|language)$/, 'language'],
  [/^country$/, 'country'],
  [/^(timezone|tz)$/, 'timezone'],
  [/^unit$/, 'unit'],
]

/**
 * Returns a readable text for its format, otherwise for the format that its property name suggests, otherwise that
 * name.
 *
 * @param schema - The schema; `format`, `minLength` and `maxLength` are respected.
 * @param name - The name of the property.
 * @param suffix - Distinguishes the items of one array; `''` for the first.
 */
export function toSampleText(schema: JsonObject, name: string, suffix: string): string {
  const { format, minLength, maxLength } = schema
  const knownFormat = typeof format === 'string' && Object.hasOwn(byFormat, format) ? format : undefined
  if (knownFormat !== undefined) return toFormatted(schema, knownFormat, suffix)
  const promised = format === undefined ? toPromised(name) : undefined
  if (promised !== undefined) {
    const text = withSuffix(byFormat[promised] ?? '', promised, suffix)
    if (fits(schema, text)) return text
  }
  let text = `${name}${suffix}`
  if (typeof minLength === 'number') text = text.padEnd(Math.min(minLength, 10_000), 'x')
  return typeof maxLength === 'number' ? text.slice(0, maxLength) : text
}

/**
 * Returns text in a format. Libraries differ in the times and ids that they accept, so a pattern published with the
 * format takes precedence.
 */
function toFormatted(schema: JsonObject, format: string, suffix: string): string {
  const usual = withSuffix(byFormat[format] ?? '', format, suffix)
  if (fits(schema, usual)) return usual
  const others = [
    usual.replace(/\.\d+Z$/, 'Z'),
    usual.replace(/Z$/, ''),
    usual.replace(/(\.\d+)?Z$/, ''),
    usual.slice(0, 5),
  ]
  return others.find((other) => fits(schema, other)) ?? usual
}

/**
 * Returns the format that a property name suggests; `undefined` if there is none.
 *
 * @param name - The name of the property.
 */
export function toPromised(name: string): string | undefined {
  const words = name.split(/(?<=[a-z\d])(?=[A-Z])|[\s_.-]+/).map((word) => word.toLowerCase())
  const [last = '', before = ''] = words.toReversed()
  if (before === 'time' && last === 'zone') return 'timezone'
  // A single word may have a different meaning: "at" is not a time.
  if (words.length === 1 && last === 'at') return undefined
  return byWord.find(([pattern]) => pattern.test(last))?.[1]
}

const patterns = createTextCache<RegExp | null>()

/** Compiles a pattern, with the flag `u` or without it. */
function toPattern(source: string): RegExp | null {
  for (const flags of ['u', ''])
    try {
      return new RegExp(source, flags)
    } catch {
      // The other form, then.
    }
  return null
}

/**
 * Returns whether a text matches the length and the pattern of a schema.
 *
 * @param schema - The schema with the limits.
 * @param text - The text to check.
 */
export function fits({ minLength, maxLength, pattern }: JsonObject, text: string): boolean {
  if (typeof minLength === 'number' && text.length < minLength) return false
  if (typeof maxLength === 'number' && text.length > maxLength) return false
  return typeof pattern !== 'string' || (patterns.get(pattern, toPattern)?.test(text) ?? false)
}

function withSuffix(text: string, format: string, suffix: string): string {
  if (suffix === '') return text
  const number = Number(suffix.replace(/\D/g, '')) || 2
  if (format === 'e164') return `${text}${number}`
  if (format === 'uuid') return `${text.slice(0, -1)}${number % 10}`
  if (format === 'email' || format === 'idn-email') return text.replace('@', `${suffix}@`)
  if (format === 'date-time' || format === 'date')
    return text.replace('-01-01', `-01-${String(((number - 1) % 31) + 1).padStart(2, '0')}`)
  return /^(uri|url|iri)/.test(format) ? `${text}${number}` : text
}
