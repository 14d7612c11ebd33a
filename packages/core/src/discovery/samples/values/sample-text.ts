import type { JsonObject } from '@trestle/protocol'

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
}

/**
 * Returns a readable text for a place: by its format, else the name of its property.
 *
 * @param schema - The place's schema; `format`, `minLength` and `maxLength` are heeded.
 * @param name - The property's name.
 * @param suffix - Tells the items of one array apart; `''` for the first.
 */
export function toSampleText(schema: JsonObject, name: string, suffix: string): string {
  const { format, minLength, maxLength } = schema
  if (typeof format === 'string' && Object.hasOwn(byFormat, format))
    return withSuffix(byFormat[format] ?? '', format, suffix)
  let text = `${name}${suffix}`
  if (typeof minLength === 'number') text = text.padEnd(Math.min(minLength, 10_000), 'x')
  return typeof maxLength === 'number' ? text.slice(0, maxLength) : text
}

function withSuffix(text: string, format: string, suffix: string): string {
  if (suffix === '') return text
  const number = Number(suffix.replace(/\D/g, '')) || 2
  if (format === 'uuid') return `${text.slice(0, -1)}${number % 10}`
  if (format === 'email' || format === 'idn-email') return text.replace('@', `${suffix}@`)
  if (format === 'date-time' || format === 'date')
    return text.replace('-01-01', `-01-${String(((number - 1) % 31) + 1).padStart(2, '0')}`)
  return /^(uri|url|iri)/.test(format) ? `${text}${number}` : text
}
