import { createHmac, timingSafeEqual } from 'node:crypto'
import { deriveKey } from './derive-key.ts'

/**
 * Returns the hash that proves that a page acts for a subscriber: HMAC-SHA256 of the subscriber id, in lowercase
 * hexadecimal digits. The key is derived, because browsers see the hash and users may choose the id: with the secret
 * key itself, the hash could be a valid signature of a bridge call.
 *
 * @param secretKey - The secret key of the environment.
 * @param subscriberId - The subscriber id, chosen by the app.
 * @source service-api.md#authentication
 */
export function toSubscriberHash(secretKey: string, subscriberId: string): string {
  return createHmac('sha256', deriveKey(secretKey, 'subscriber-hash')).update(subscriberId).digest('hex')
}

/**
 * Returns whether a hash belongs to a subscriber, in constant time.
 *
 * @param subscriberId - The subscriber id, chosen by the app.
 */
export function isSubscriberHash(hash: string, secretKey: string, subscriberId: string): boolean {
  if (!/^[0-9a-f]{64}$/.test(hash)) return false
  return timingSafeEqual(Buffer.from(hash), Buffer.from(toSubscriberHash(secretKey, subscriberId)))
}
