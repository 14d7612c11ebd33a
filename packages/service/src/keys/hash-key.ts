import { createHash } from 'node:crypto'

/**
 * Returns the hash that a secret key or token is looked up by. They are long and random, so one round of a fast hash is
 * enough.
 */
export function hashKey(secret: string): string {
  return createHash('sha256').update(secret).digest('hex')
}

/** Returns the start of a key's hash, which identifies the key in histories. */
export function toKeyId(hash: string): string {
  return hash.slice(0, 12)
}
