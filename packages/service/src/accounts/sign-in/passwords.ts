import { randomBytes } from 'node:crypto'
import { createGate } from './gate.ts'

/** OWASP's parameters for Argon2id, the algorithm that the library uses by default. */
const parameters = { memoryCost: 19_456, timeCost: 2, parallelism: 1 } as const
/** The limits on hashing: a hash takes 19 MiB and one of the four threads in the pool. */
const limits = { atOnce: 2, waiting: 50 } as const

export const minPasswordLength = 12
export const maxPasswordLength = 200

/** Hashes passwords in threads, with limited concurrency. */
export interface Passwords {
  /** Returns the Argon2id hash of a password, with its parameters. */
  hash(password: string): Promise<string>
  /** Returns whether a password matches a hash. Without a hash, it takes the same time and returns false. */
  verify(hash: string | null, password: string): Promise<boolean>
}

/** Creates the password hasher. The library is loaded here, so a service without accounts never loads it. */
export async function createPasswords(): Promise<Passwords> {
  const argon = await import('@node-rs/argon2')
  const gate = createGate(limits)
  const hash = (password: string): Promise<string> => gate.run(() => argon.hash(toBytes(password), parameters))
  const decoy = await hash(randomBytes(32).toString('hex'))
  return {
    hash,
    async verify(stored, password) {
      const fits = await gate.run(() => argon.verify(stored ?? decoy, toBytes(password)))
      return fits && stored !== null
    },
  }
}

/** Normalizes a password, because keyboards encode the same letter in different ways. */
const toBytes = (password: string): Buffer => Buffer.from(password.normalize('NFKC'))
