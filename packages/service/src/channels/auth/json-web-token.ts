import { createPrivateKey, createSign, type KeyObject } from 'node:crypto'
import type { JsonObject } from '@trestle/protocol'

/** The algorithms for signed tokens, with the key type that each requires. */
const algorithms = { RS256: 'rsa', ES256: 'ec' } as const

/** The algorithm of a signed token. */
export type TokenAlgorithm = keyof typeof algorithms

/**
 * Returns a signed JSON Web Token.
 *
 * @param header - Header fields, including `alg`.
 * @param claims - The claims of the token.
 * @param privateKey - The private key, as PEM.
 */
export function signToken(
  header: JsonObject & { readonly alg: TokenAlgorithm },
  claims: JsonObject,
  privateKey: string,
): string {
  const text = [header, claims].map((part) => Buffer.from(JSON.stringify(part)).toString('base64url')).join('.')
  const key = { key: createPrivateKey(privateKey), dsaEncoding: 'ieee-p1363' } as const
  return `${text}.${createSign('sha256').update(text).sign(key, 'base64url')}`
}

/**
 * Returns whether a text is a private key that can sign tokens with an algorithm.
 *
 * @param text - The key, as PEM.
 */
export function isSigningKey(text: string, algorithm: TokenAlgorithm): boolean {
  const key = readKey(text)
  if (key?.asymmetricKeyType !== algorithms[algorithm]) return false
  return algorithm !== 'ES256' || key.asymmetricKeyDetails?.namedCurve === 'prime256v1'
}

function readKey(text: string): KeyObject | undefined {
  try {
    return createPrivateKey(text)
  } catch {
    return undefined
  }
}
