import { createCipheriv, createDecipheriv, randomBytes } from 'node:crypto'

/** Encrypts what is kept at rest: keys of environments, credentials, secret variables. */
export interface Vault {
  /** Returns a text encrypted and authenticated, as printable text. Two calls never return the same. */
  seal(plain: string): string
  /**
   * Returns what was sealed.
   *
   * @throws {UnsealableError} When it was sealed with another key or altered.
   */
  open(sealed: string): string
}

/** Thrown when a sealed text cannot be opened. */
export class UnsealableError extends Error {
  override readonly name = 'UnsealableError'
}

const version = 'v1'

/**
 * Creates a vault: AES-256-GCM with a fresh nonce for each text.
 *
 * @param key - 32 bytes.
 * @throws {RangeError} When the key is of another length.
 */
export function createVault(key: Uint8Array): Vault {
  if (key.length !== 32) throw new RangeError(`The encryption key must have 32 bytes; it has ${key.length}.`)
  return Object.freeze({
    seal(plain: string) {
      const nonce = randomBytes(12)
      const cipher = createCipheriv('aes-256-gcm', key, nonce)
      const body = Buffer.concat([cipher.update(plain, 'utf8'), cipher.final()])
      return `${version}.${Buffer.concat([nonce, cipher.getAuthTag(), body]).toString('base64url')}`
    },
    open(sealed: string) {
      const [mark, text = ''] = sealed.split('.')
      const bytes = Buffer.from(text, 'base64url')
      if (mark !== version || bytes.length < 28) throw new UnsealableError('This is not a sealed text.')
      try {
        const decipher = createDecipheriv('aes-256-gcm', key, bytes.subarray(0, 12))
        decipher.setAuthTag(bytes.subarray(12, 28))
        return Buffer.concat([decipher.update(bytes.subarray(28)), decipher.final()]).toString('utf8')
      } catch {
        throw new UnsealableError('A stored secret was sealed with another encryption key, or altered.')
      }
    },
  })
}
