import type { JsonObject } from '@trestle/protocol'
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
 */
export function sealDelivery({ outgoing, credentials }: PendingDelivery, vault: Vault): string {
  return vault.seal(JSON.stringify({ outgoing, credentials: outgoing.kind === 'mail' ? credentials : {} }))
}

/**
 * Returns what was sealed.
 *
 * @param sealed - The text.
 * @param vault - Opens it.
 * @throws {UnsealableError} When it was sealed with another key.
 */
export function openDelivery(sealed: string, vault: Vault): PendingDelivery {
  // Only sealDelivery writes this text, and the seal proves it.
  return JSON.parse(vault.open(sealed)) as PendingDelivery
}

/**
 * Returns the texts of a delivery that no error and no log may show.
 *
 * @param pending - The delivery.
 */
export function secretsOf({ outgoing, credentials }: PendingDelivery): readonly string[] {
  const own = outgoing.kind === 'request' ? secretsOfRequest(outgoing) : []
  const { password, secretKey, apiKey } = credentials
  return [...own, password, secretKey, apiKey].filter((text) => typeof text === 'string' && text !== '').map(String)
}

function secretsOfRequest({ url, signingKey, headers, secrets = [] }: OutgoingRequest): readonly unknown[] {
  // A media type is no secret, and masking it would make errors unreadable.
  const values = Object.entries(headers).filter(([name]) => name !== 'content-type')
  return [url, signingKey, ...secrets, ...values.map(([, value]) => value)]
}
