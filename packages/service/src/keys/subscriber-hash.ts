import { createHmac, timingSafeEqual } from 'node:crypto'
import { deriveKey } from './derive-key.ts'

/**
 * Returns the hash that proves that a page speaks for a subscriber: HMAC-SHA256 of the subscriber's own identifier in
 * lowercase hexadecimal digits. Its key is derived: browsers see the hash, and users may choose the identifier, so under
 * the secret key itself it could be a valid signature of a bridge call.
 *
 * @param secretKey - The secret key of the environment.
 * @param subscriberId - The caller's own identifier of the subscriber.
 * @source service-api.md#authentication
 */
export function toSubscriberHash(secretKey: string, subscriberId: string): string {
  return createHmac('sha256', deriveKey(secretKey, 'subscriber-hash')).update(subscriberId).digest('hex')
}

/**
 * Returns whether a hash is the one of a subscriber, in constant time.
 *
 * @param hash - The hash.
 * @param secretKey - The secret key.
 * @param subscriberId - The caller's own identifier of the subscriber.
 */
export function isSubscriberHash(hash: string, secretKey: string, subscriberId: string): boolean {
  if (!/^[0-9a-f]{64}$/.test(hash)) return false
  return timingSafeEqual(Buffer.from(hash), Buffer.from(toSubscriberHash(secretKey, subscriberId)))
}
