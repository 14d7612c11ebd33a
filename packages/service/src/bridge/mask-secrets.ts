import { escapeHtml } from '@trestle/html/escape'

/** The text that replaces a secret. */
export const secretMask = '******'

/** The minimum length of masked secrets: shorter texts would match everywhere, and are too short to be secret. */
const shortestSecret = 4

/**
 * Returns a copy of a JSON value with all secrets masked, both verbatim and as escaped in JSON, HTML or URLs.
 *
 * @param secrets - The secrets to mask. Secrets of fewer than four characters are only masked if they are the whole
 * string.
 */
export function maskSecrets(value: unknown, secrets: readonly string[]): unknown {
  const known = secrets
    .filter((secret) => secret !== '')
    .flatMap(toForms)
    .sort((left, right) => right.length - left.length)
  return known.length === 0 ? value : mask(value, known)
}

function toForms(secret: string): readonly string[] {
  if (secret.length < shortestSecret) return [secret]
  // A URL cannot encode an unpaired surrogate.
  const whole = Buffer.from(secret).toString()
  const inQuery = new URLSearchParams([['', whole]]).toString().slice(1)
  const inHtml = entities.map((table) => secret.replaceAll(/[&<>"']/g, (sign) => table[sign] ?? sign))
  return [
    ...new Set([
      secret,
      JSON.stringify(secret).slice(1, -1),
      encodeURIComponent(whole),
      inQuery,
      escapeHtml(secret),
      ...inHtml,
    ]),
  ]
}

/** How other libraries escape these characters in HTML. */
const entities: readonly Readonly<Record<string, string>>[] = [
  { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#39;' },
  { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#x27;' },
  { '&': '&amp;', '<': '&lt;', '>': '&gt;' },
]

function mask(value: unknown, secrets: readonly string[]): unknown {
  if (typeof value === 'string') return maskText(value, secrets)
  if (Array.isArray(value)) return value.map((item) => mask(item, secrets))
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [maskText(key, secrets), mask(item, secrets)]))
}

function maskText(text: string, secrets: readonly string[]): string {
  let masked = text
  for (const secret of secrets) {
    if (masked === secret) return secretMask
    if (secret.length >= shortestSecret) masked = masked.replaceAll(secret, secretMask)
  }
  return masked
}
