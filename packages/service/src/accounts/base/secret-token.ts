import { randomBytes } from 'node:crypto'

/** Returns a random token. It is sent once, and only its hash is stored. */
export const createToken = (): string => randomBytes(32).toString('base64url')
