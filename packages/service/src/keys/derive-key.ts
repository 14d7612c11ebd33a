import { hkdfSync } from 'node:crypto'

/**
 * The purposes of derived keys, with one key each. A secret is only used to derive keys, except that the secret key of
 * an environment also signs bridge calls.
 */
export type KeyPurpose =
  | 'sealing'
  | 'oauth-state'
  | 'studio-session'
  | 'known-browser'
  | 'oidc-flow'
  | 'inbox-session'
  | 'subscriber-hash'

/**
 * Derives a key for one purpose: HKDF-SHA256 without salt, info `trestle/` and the purpose, 32 bytes. A value made with
 * one of these keys is invalid for any other purpose, and as a signature of a bridge call.
 *
 * @param secret - The encryption key of the service, or the secret key of an environment.
 * @param purpose - The purpose of the derived key.
 */
export function deriveKey(secret: string | Uint8Array, purpose: KeyPurpose): Buffer {
  return Buffer.from(hkdfSync('sha256', secret, '', `trestle/${purpose}`, 32))
}
