import { createCipheriv, createDecipheriv, randomBytes } from 'node:crypto'

/** Encrypts what is kept at rest: keys of environments, credentials, secret variables. */
export interface Vault {
  /** Returns a text encrypted and authenticated, as printable text. Two calls never return the same. */
  seal(plain: string): string
  /**
   * Returns what was sealed, with the key in use or a previous one.
   *
   * @throws {UnsealableError} When it was sealed with another key or altered.
   */
  open(sealed: string): string
  /**
   * Returns what was sealed with a previous key, sealed with the one in use; `undefined` where it is that already.
   *
   * @throws {UnsealableError} When it was sealed with another key or altered.
   */
  renew(sealed: string): string | undefined
}

/** Thrown when a sealed text cannot be opened. */
export class UnsealableError extends Error {
  override readonly name = 'UnsealableError'
}

const version = 'v1'

/**
 * Creates a vault: AES-256-GCM with a fresh nonce for each text.
 *
 * @param key - The key in use, 32 bytes.
 * @param previous - Keys that open what was sealed before. @default none
 * @throws {RangeError} When a key is of another length.
 */
export function createVault(key: Uint8Array, previous: readonly Uint8Array[] = []): Vault {
  for (const { length } of [key, ...previous])
    if (length !== 32) throw new RangeError(`The encryption key must have 32 bytes; it has ${length}.`)
  const openWith = (keys: readonly Uint8Array[], sealed: string): string => {
    const bytes = toBytes(sealed)
    for (const one of keys) {
      const plain = decrypt(one, bytes)
      if (plain !== undefined) return plain
    }
    throw new UnsealableError('A stored secret was sealed with another encryption key, or altered.')
  }
  const seal = (plain: string): string => {
    const nonce = randomBytes(12)
    const cipher = createCipheriv('aes-256-gcm', key, nonce)
    const body = Buffer.concat([cipher.update(plain, 'utf8'), cipher.final()])
    return `${version}.${Buffer.concat([nonce, cipher.getAuthTag(), body]).toString('base64url')}`
  }
  return Object.freeze({
    seal,
    open: (sealed: string) => openWith([key, ...previous], sealed),
    renew: (sealed: string) =>
      decrypt(key, toBytes(sealed)) === undefined ? seal(openWith(previous, sealed)) : undefined,
  })
}

function toBytes(sealed: string): Buffer {
  const [mark, text = ''] = sealed.split('.')
  const bytes = Buffer.from(text, 'base64url')
  if (mark !== version || bytes.length < 28) throw new UnsealableError('This is not a sealed text.')
  return bytes
}

/** The text proves itself: with another key nothing comes out. */
function decrypt(key: Uint8Array, bytes: Buffer): string | undefined {
  try {
    const decipher = createDecipheriv('aes-256-gcm', key, bytes.subarray(0, 12))
    decipher.setAuthTag(bytes.subarray(12, 28))
    return Buffer.concat([decipher.update(bytes.subarray(28)), decipher.final()]).toString('utf8')
  } catch {
    return undefined
  }
}
