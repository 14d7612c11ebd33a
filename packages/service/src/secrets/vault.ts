import { createCipheriv, createDecipheriv, randomBytes } from 'node:crypto'
import { deriveKey, type KeyPurpose } from '../keys/derive-key.ts'
import type { SealedPlace } from './sealed-places.ts'

/** Encrypts data at rest: environment keys, credentials, secret variables. */
export interface Vault {
  /** Encrypts and authenticates a text for one location, as printable text. Two calls never return the same text. */
  seal(plain: string, place: SealedPlace): string
  /**
   * Decrypts a text for a location, with the current key or a previous one.
   *
   * @throws {UnsealableError} It was encrypted with a different key or for a different location, or was modified.
   */
  open(sealed: string, place: SealedPlace): string
  /**
   * Re-encrypts a text encrypted with a previous key, or an unbound text from an earlier version, with the current key;
   * `undefined` if not needed.
   *
   * @throws {UnsealableError} It was encrypted with a different key or for a different location, or was modified.
   */
  renew(sealed: string, place: SealedPlace): string | undefined
  /** Returns the vault for another purpose: neither can decrypt the other's texts. */
  for(purpose: KeyPurpose): Vault
}

/** Thrown if an encrypted text cannot be decrypted. */
export class UnsealableError extends Error {
  override readonly name = 'UnsealableError'
}

const version = 'v2'
/** Unbound, with the encryption key itself. Only used by {@link Vault.renew}. */
const formerVersion = 'v1'

/**
 * Creates a vault: AES-256-GCM with a fresh nonce per text, which is bound to its location.
 *
 * @param key - The current key, 32 bytes.
 * @param previous - Keys that decrypt older texts. @default none
 * @throws {RangeError} A key has the wrong length.
 */
export function createVault(key: Uint8Array, previous: readonly Uint8Array[] = []): Vault {
  for (const { length } of [key, ...previous])
    if (length !== 32) throw new RangeError(`The encryption key must have 32 bytes; it has ${length}.`)
  return createFor('sealing', [key, ...previous])
}

function createFor(purpose: KeyPurpose, secrets: readonly Uint8Array[]): Vault {
  const keys = secrets.map((secret) => deriveKey(secret, purpose))
  const [current = Buffer.alloc(0)] = keys
  const seal = (plain: string, place: SealedPlace): string => {
    const nonce = randomBytes(12)
    const cipher = createCipheriv('aes-256-gcm', current, nonce).setAAD(toBinding(place))
    const body = Buffer.concat([cipher.update(plain, 'utf8'), cipher.final()])
    return `${version}.${Buffer.concat([nonce, cipher.getAuthTag(), body]).toString('base64url')}`
  }
  const open = (sealed: string, place: SealedPlace): string =>
    openWith(keys, toBytes(sealed, version), toBinding(place))
  return Object.freeze({
    seal,
    open,
    renew(sealed: string, place: SealedPlace) {
      if (sealed.startsWith(`${formerVersion}.`) && purpose === 'sealing')
        return seal(openWith(secrets, toBytes(sealed, formerVersion), undefined), place)
      const bytes = toBytes(sealed, version)
      if (decrypt(current, bytes, toBinding(place)) !== undefined) return undefined
      return seal(openWith(keys, bytes, toBinding(place)), place)
    },
    for: (other: KeyPurpose) => createFor(other, secrets),
  })
}

const toBinding = ({ table, column, key }: SealedPlace): Buffer => Buffer.from(JSON.stringify([table, column, ...key]))

function toBytes(sealed: string, expected: string): Buffer {
  const [mark, text = ''] = sealed.split('.')
  const bytes = Buffer.from(text, 'base64url')
  if (mark !== expected || bytes.length < 28) throw new UnsealableError('This text is not encrypted.')
  return bytes
}

function openWith(keys: readonly Uint8Array[], bytes: Buffer, binding: Buffer | undefined): string {
  for (const key of keys) {
    const plain = decrypt(key, bytes, binding)
    if (plain !== undefined) return plain
  }
  throw new UnsealableError(
    'A stored secret was encrypted with a different key or for a different row, or was modified.',
  )
}

/** The text is authenticated: with a different key or binding, decryption fails. */
function decrypt(key: Uint8Array, bytes: Buffer, binding: Buffer | undefined): string | undefined {
  try {
    const decipher = createDecipheriv('aes-256-gcm', key, bytes.subarray(0, 12))
    if (binding) decipher.setAAD(binding)
    decipher.setAuthTag(bytes.subarray(12, 28))
    return Buffer.concat([decipher.update(bytes.subarray(28)), decipher.final()]).toString('utf8')
  } catch {
    return undefined
  }
}
