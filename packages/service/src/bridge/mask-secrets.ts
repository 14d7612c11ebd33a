import { toHtmlForms } from '@trestle/html/escape'

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
  const secretForms = secrets
    .filter((secret) => secret !== '')
    .flatMap(toForms)
    .sort((left, right) => right.length - left.length)
  return secretForms.length === 0 ? value : mask(value, secretForms)
}

function toForms(secret: string): readonly string[] {
  if (secret.length < shortestSecret) return [secret]
  // A URL cannot encode an unpaired surrogate.
  const whole = Buffer.from(secret).toString()
  const inQuery = new URLSearchParams([['', whole]]).toString().slice(1)
  const json = JSON.stringify(secret).slice(1, -1)
  return [...new Set([secret, json, encodeURIComponent(whole), inQuery, ...toHtmlForms(secret)])]
}

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
