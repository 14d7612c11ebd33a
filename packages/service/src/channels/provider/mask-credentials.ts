import type { JsonObject } from '@trestle/protocol'
import { secretMask } from '../../bridge/mask-secrets.ts'
import { isObject } from '../../json/json.ts'

/** The fields of credentials that are no secrets: where a provider is and how a message is signed by its sender. */
const shown: ReadonlySet<string> = new Set([
  'host',
  'port',
  'secure',
  'domain',
  'from',
  'senderName',
  'replyTo',
  'requireTls',
  'ignoreTls',
  'apiKeyRequestHeader',
  'secretKeyRequestHeader',
  'idPath',
  'region',
  'hmac',
])

/**
 * Returns credentials so that they can be shown: every text but the few that are known to be harmless is masked.
 *
 * @param credentials - The credentials.
 */
export function maskCredentials(credentials: JsonObject): JsonObject {
  return Object.fromEntries(
    Object.entries(credentials).map(([name, value]) => [name, shown.has(name) ? value : mask(value)]),
  )
}

/**
 * Returns new credentials in which a value that is the mask is the one that was stored, so that a form that was filled
 * in with masked values can be sent back.
 *
 * @param given - The new credentials.
 * @param stored - What was stored.
 * @returns The credentials, and the names of masked values that nothing is stored for.
 */
export function unmaskCredentials(
  given: JsonObject,
  stored: JsonObject,
): { readonly credentials: JsonObject; readonly unknown: readonly string[] } {
  const masked = Object.keys(given).filter((name) => given[name] === secretMask)
  const unknown = masked.filter((name) => !Object.hasOwn(stored, name))
  const kept = Object.fromEntries(masked.map((name) => [name, stored[name]]))
  return { credentials: { ...given, ...kept }, unknown }
}

function mask(value: unknown): unknown {
  if (typeof value === 'string' || typeof value === 'number') return value === '' ? '' : secretMask
  if (Array.isArray(value)) return value.map(mask)
  if (isObject(value)) return Object.fromEntries(Object.entries(value).map(([name, item]) => [name, mask(item)]))
  return value
}
