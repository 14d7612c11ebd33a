import { type JsonObject, parseUrl } from '@trestle/protocol'
import { readText } from '../json/json.ts'
import { sealedPlaces } from '../secrets/sealed-places.ts'
import type { Vault } from '../secrets/vault.ts'
import type { Outgoing, OutgoingRequest } from './base/delivery.ts'

/** A pending message: the request and its credentials. */
export interface PendingDelivery {
  readonly outgoing: Outgoing
  /** The integration's credentials when the message was stored. */
  readonly credentials: JsonObject
  /** The same message for the integrations that are tried next. @default none */
  readonly fallbacks?: readonly FallbackDelivery[]
}

/** A message for another integration. */
export interface FallbackDelivery extends Omit<PendingDelivery, 'fallbacks'> {
  readonly providerId: string
  /** Row id of the integration. */
  readonly integrationId: string
  /** The identifier of the integration, for the history. */
  readonly identifier: string
}

/**
 * Encrypts a pending message, because webhooks and passwords are secrets.
 *
 * @param messageId - Row id of the message.
 */
export function sealDelivery(delivery: PendingDelivery, vault: Vault, messageId: string): string {
  const { fallbacks = [] } = delivery
  const pending = {
    ...withoutUnused(delivery),
    ...(fallbacks.length > 0 && { fallbacks: fallbacks.map(withoutUnused) }),
  }
  return vault.seal(JSON.stringify(pending), sealedPlaces.delivery(messageId))
}

/** Only emails are sent with credentials; those of requests are part of the request. */
function withoutUnused<T extends PendingDelivery>(delivery: T): T {
  return delivery.outgoing.kind === 'mail' ? delivery : { ...delivery, credentials: {} }
}

/**
 * Decrypts a pending message.
 *
 * @param messageId - Row id of the message.
 * @throws {UnsealableError} It was encrypted with a different key.
 */
export function openDelivery(sealed: string, vault: Vault, messageId: string): PendingDelivery {
  // Only sealDelivery writes this text, as its authenticated encryption proves.
  return JSON.parse(vault.open(sealed, sealedPlaces.delivery(messageId))) as PendingDelivery
}

/** Returns the secrets of a delivery that no error or log may show. */
export function secretsOf({ outgoing, credentials }: PendingDelivery): readonly string[] {
  const own = outgoing.kind === 'request' ? secretsOfRequest(outgoing) : []
  return [...own.map(readText), ...secretsOfCredentials(credentials)].filter((text) => text !== undefined)
}

/**
 * Returns the secrets of credentials that no error or log may show, including the forms of a password in SMTP
 * authentication.
 */
export function secretsOfCredentials(credentials: JsonObject): readonly string[] {
  const password = readText(credentials['password'])
  const user = readText(credentials['user']) ?? ''
  const spoken = password === undefined ? [] : [password, toBase64(password), toBase64(`\0${user}\0${password}`)]
  return [...spoken, readText(credentials['secretKey']), readText(credentials['apiKey'])].filter(
    (text) => text !== undefined,
  )
}

function secretsOfRequest({ url, signingKey, headers, secrets }: OutgoingRequest): readonly unknown[] {
  // A media type is not secret, and masking it would make errors unreadable.
  const values = Object.entries(headers).filter(([name]) => name !== 'content-type')
  // The part after the scheme, as in "Basic QUMx", is the secret itself.
  const texts = values.flatMap(([, value]) => [value, value.slice(value.indexOf(' ') + 1)])
  // API paths are public, but a webhook's path grants access.
  return [url, ...(secrets ?? pathsOf(url)), signingKey, ...texts]
}

function pathsOf(url: string): readonly string[] {
  const parsed = parseUrl(url)
  if (parsed === undefined) return []
  const { pathname, search } = parsed
  return pathname === '/' ? [search] : [pathname + search, pathname]
}

function toBase64(text: string): string {
  return Buffer.from(text).toString('base64')
}
