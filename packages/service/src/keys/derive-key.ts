import { hkdfSync } from 'node:crypto'

/**
 * What derived keys are used for, one key each. A secret itself is used for nothing but deriving, except that the secret
 * key of an environment signs bridge calls.
 */
export type KeyPurpose = 'sealing' | 'oauth-state' | 'studio-session' | 'inbox-session' | 'subscriber-hash'

/**
 * Derives the key of one purpose from a secret: HKDF-SHA256 without salt, info `trestle/` and the purpose, 32 bytes. A
 * value made with one of these keys is never valid for another purpose, nor as a signature of a bridge call.
 *
 * @param secret - The encryption key of the service, or the secret key of an environment.
 * @param purpose - What it is for.
 */
export function deriveKey(secret: string | Uint8Array, purpose: KeyPurpose): Buffer {
  return Buffer.from(hkdfSync('sha256', secret, '', `trestle/${purpose}`, 32))
}
