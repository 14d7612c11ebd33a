import { createHash, randomBytes } from 'node:crypto'

/** Returns a random token. It is sent once, and only its hash is stored. */
export const createToken = (): string => randomBytes(32).toString('base64url')

/**
 * Returns the hash by which a token is looked up. Tokens are long and random, so one round of a fast hash is
 * sufficient.
 */
export const hashToken = (token: string): string => createHash('sha256').update(token).digest('hex')
