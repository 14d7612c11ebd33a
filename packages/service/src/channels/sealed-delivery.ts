import { type JsonObject, parseUrl } from '@trestle/protocol'
import { readText } from '../json/json.ts'
import { sealedPlaces } from '../secrets/sealed-places.ts'
import type { Vault } from '../secrets/vault.ts'
import type { Outgoing, OutgoingRequest } from './base/delivery.ts'

/** A message that waits to be sent: the request and its credentials. */
export interface PendingDelivery {
  /** The request. */
  readonly outgoing: Outgoing
  /** The integration's credentials, as they were when the message was stored. */
  readonly credentials: JsonObject
}

/**
 * Returns what waits to be sent as a sealed text: webhooks and passwords are secrets.
 *
 * @param pending - What waits.
 * @param vault - Seals it.
 * @param messageId - Row id of the message.
 */
export function sealDelivery({ outgoing, credentials }: PendingDelivery, vault: Vault, messageId: string): string {
  const pending = { outgoing, credentials: outgoing.kind === 'mail' ? credentials : {} }
  return vault.seal(JSON.stringify(pending), sealedPlaces.delivery(messageId))
}

/**
 * Returns what was sealed.
 *
 * @param sealed - The text.
 * @param vault - Opens it.
 * @param messageId - Row id of the message.
 * @throws {UnsealableError} When it was sealed with another key.
 */
export function openDelivery(sealed: string, vault: Vault, messageId: string): PendingDelivery {
  // Only sealDelivery writes this text, and the seal proves it.
  return JSON.parse(vault.open(sealed, sealedPlaces.delivery(messageId))) as PendingDelivery
}

/**
 * Returns the texts of a delivery that no error and no log may show.
 *
 * @param delivery - The delivery.
 */
export function secretsOf({ outgoing, credentials }: PendingDelivery): readonly string[] {
  const own = outgoing.kind === 'request' ? secretsOfRequest(outgoing) : []
  return [...own.map(readText), ...secretsOfCredentials(credentials)].filter((text) => text !== undefined)
}

/**
 * Returns the texts of credentials that no error and no log may show; of a password also what signing in to an SMTP server makes
 * of it.
 *
 * @param credentials - An integration's.
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
  // A media type is no secret, and masking it would make errors unreadable.
  const values = Object.entries(headers).filter(([name]) => name !== 'content-type')
  // What follows the scheme, as in "Basic QUMx", is the secret itself.
  const texts = values.flatMap(([, value]) => [value, value.slice(value.indexOf(' ') + 1)])
  // The paths of an API are known to everybody; that of a webhook lets in whoever knows it.
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
