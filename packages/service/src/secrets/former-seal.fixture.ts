import { createCipheriv, randomBytes } from 'node:crypto'

/** Encrypts a text as earlier versions did, without binding it to a location. */
export function sealFormerly(plain: string, key: Uint8Array): string {
  const nonce = randomBytes(12)
  const cipher = createCipheriv('aes-256-gcm', key, nonce)
  const body = Buffer.concat([cipher.update(plain, 'utf8'), cipher.final()])
  return `v1.${Buffer.concat([nonce, cipher.getAuthTag(), body]).toString('base64url')}`
}
