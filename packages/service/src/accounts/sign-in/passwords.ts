import { randomBytes } from 'node:crypto'
import { createGate } from './gate.ts'

/** OWASP's parameters for Argon2id, the algorithm that the library uses by default. */
const parameters = { memoryCost: 19_456, timeCost: 2, parallelism: 1 } as const
/** A hash takes 19 MiB and a thread of the pool, of which there are four. */
const limits = { atOnce: 2, waiting: 50 } as const

export const minPasswordLength = 12
export const maxPasswordLength = 200

/** Hashes passwords in threads, a few at a time. */
export interface Passwords {
  /** Returns the Argon2id hash of a password, with its parameters. */
  hash(password: string): Promise<string>
  /** Returns whether a password has a hash. Without a hash it takes as long, and returns false. */
  verify(hash: string | null, password: string): Promise<boolean>
}

/** Creates the hashing of passwords. The library is loaded now, so a service without accounts never loads it. */
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

/** Keyboards write the same letter in different ways. */
const toBytes = (password: string): Buffer => Buffer.from(password.normalize('NFKC'))
