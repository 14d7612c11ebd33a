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
 * The fields that say nothing about where credentials are sent, nor how well they are protected on the way. Every other one
 * does, also one of a provider that is not known here.
 */
const harmless: ReadonlySet<string> = new Set([
  ...['from', 'senderName', 'replyTo', 'user', 'idPath', 'messageProfileId', 'hmac'],
  ...['apiKey', 'secretKey', 'password', 'token', 'signingSecret', 'hmacKey'],
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

/** New credentials with stored secrets in place of their masks. */
export interface UnmaskedCredentials {
  /** The credentials. */
  readonly credentials: JsonObject
  /** Fields with a mask for which nothing is stored. */
  readonly unknown: readonly string[]
  /** Fields with a mask. */
  readonly kept: readonly string[]
  /** Fields that decide where the credentials are sent, and are not as they were. */
  readonly moved: readonly string[]
}

/**
 * Returns new credentials in which a value that is the mask is the one that was stored, so that a form that was filled
 * in with masked values can be sent back. A secret that is `kept` must not be stored together with a field that is `moved`:
 * whoever knows only the mask would have it sent to an address of their own.
 *
 * @param given - The new credentials.
 * @param stored - What was stored.
 */
export function unmaskCredentials(given: JsonObject, stored: JsonObject): UnmaskedCredentials {
  const credentials = toObjectOf(given, (name, value) => unmask(value, ownValue(stored, name)))
  const names = [...new Set([...Object.keys(given), ...Object.keys(stored)])]
  const isSame = (name: string): boolean =>
    JSON.stringify(ownValue(credentials, name)) === JSON.stringify(ownValue(stored, name))
  return {
    credentials,
    unknown: Object.keys(given).filter((name) => hasMask(credentials[name])),
    kept: Object.keys(given).filter((name) => hasMask(given[name])),
    moved: names.filter((name) => !harmless.has(name) && !isSame(name)),
  }
}

function unmask(given: unknown, stored: unknown): unknown {
  if (given === secretMask) return stored === undefined || isObject(stored) || Array.isArray(stored) ? given : stored
  if (Array.isArray(given))
    return given.map((item, index) => unmask(item, Array.isArray(stored) ? stored[index] : undefined))
  if (!isObject(given)) return given
  return toObjectOf(given, (name, value) => unmask(value, isObject(stored) ? ownValue(stored, name) : undefined))
}

function hasMask(value: unknown): boolean {
  if (Array.isArray(value)) return value.some(hasMask)
  return isObject(value) ? Object.values(value).some(hasMask) : value === secretMask
}

const ownValue = (object: JsonObject, name: string): unknown => (Object.hasOwn(object, name) ? object[name] : undefined)

const toObjectOf = (object: JsonObject, change: (name: string, value: unknown) => unknown): JsonObject =>
  Object.fromEntries(Object.entries(object).map(([name, value]) => [name, change(name, value)]))

function mask(value: unknown): unknown {
  if (typeof value === 'string' || typeof value === 'number') return value === '' ? '' : secretMask
  if (Array.isArray(value)) return value.map(mask)
  if (isObject(value)) return Object.fromEntries(Object.entries(value).map(([name, item]) => [name, mask(item)]))
  return value
}
