import { isObject, type JsonObject } from '@trestle/protocol'
import { secretMask } from '../../bridge/mask-secrets.ts'

/** Credential fields that are not secret, such as the address of a provider and the name of a sender. */
const publicFields: ReadonlySet<string> = new Set([
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
  'statusCallback',
  'topicArn',
])

/**
 * Fields that do not affect where credentials are sent, or how they are protected on the way. All other fields do,
 * including those of unknown providers.
 */
const harmless: ReadonlySet<string> = new Set([
  ...['from', 'senderName', 'replyTo', 'user', 'idPath', 'messageProfileId', 'hmac'],
  ...['applicationId', 'projectName', 'phoneNumberIdentification', 'configurationSet'],
  ...['apiKey', 'secretKey', 'password', 'token', 'apiToken', 'signingSecret', 'hmacKey'],
  ...['webhookKey', 'verifyToken', 'statusCallback', 'topicArn'],
])

/** Returns credentials for display: all strings are masked, except a few fields known to be harmless. */
export function maskCredentials(credentials: JsonObject): JsonObject {
  return Object.fromEntries(
    Object.entries(credentials).map(([name, value]) => [name, publicFields.has(name) ? value : mask(value)]),
  )
}

/** New credentials with masks replaced by stored secrets. */
export interface UnmaskedCredentials {
  readonly credentials: JsonObject
  /** Masked fields without a stored value. */
  readonly unknown: readonly string[]
  /** Masked fields. */
  readonly kept: readonly string[]
  /** Changed fields that decide where the credentials are sent. */
  readonly moved: readonly string[]
}

/**
 * Replaces masks in new credentials with the stored values, so that a form filled with masked values can be sent back.
 * A `kept` secret must not be stored together with a `moved` field: a caller who knows only the mask could have the
 * secret sent to their own address.
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
