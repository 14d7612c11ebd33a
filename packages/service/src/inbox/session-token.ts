import { createHmac, timingSafeEqual } from 'node:crypto'
import { deriveKey } from '../keys/derive-key.ts'
import { idPattern } from '../store/create-id.ts'

/** How long a session lasts, in milliseconds. */
export const sessionMs: number = 60 * 60 * 1000

/** The content of a session token. */
export interface SessionClaims {
  /** Row id of the environment. */
  readonly environmentId: string
  readonly subscriberRowId: string
  /** When it expires, in milliseconds since 1970. */
  readonly expiresMs: number
}

/** A token before its signature is verified. */
export interface UncheckedToken extends SessionClaims {
  /** Returns whether it was signed with a secret key, in constant time. */
  isSignedBy(secretKey: string): boolean
}

const form = /^([0-9a-f]{24})\.([0-9a-f]{24})\.([1-9]\d{12,14})\.([\w-]{43})$/

/**
 * Creates the token of a session. It is signed with a key derived from the environment's secret key, so it is revoked
 * with that key.
 *
 * @param secretKey - The secret key of the environment.
 */
export function createSessionToken(secretKey: string, claims: SessionClaims): string {
  const text = `${claims.environmentId}.${claims.subscriberRowId}.${claims.expiresMs}`
  if (!idPattern.test(claims.environmentId) || !idPattern.test(claims.subscriberRowId))
    throw new TypeError('A session token requires row ids.')
  return `${text}.${sign(secretKey, text)}`
}

/**
 * Parses a token. Its content must not be used before its signature is verified, except to find the key for that.
 *
 * @returns `undefined` if the text is not a token.
 */
export function readSessionToken(token: string): UncheckedToken | undefined {
  const [, environmentId, subscriberRowId, expires, signature] = form.exec(token) ?? []
  if (!environmentId || !subscriberRowId || !expires || !signature) return undefined
  const text = `${environmentId}.${subscriberRowId}.${expires}`
  return {
    environmentId,
    subscriberRowId,
    expiresMs: Number(expires),
    isSignedBy: (secretKey) => timingSafeEqual(Buffer.from(signature), Buffer.from(sign(secretKey, text))),
  }
}

const sign = (secretKey: string, text: string): string =>
  createHmac('sha256', deriveKey(secretKey, 'inbox-session')).update(text).digest('base64url')
