import { createHash, randomBytes } from 'node:crypto'
import type { Vault } from '../../secrets/vault.ts'
import type { Session } from '../../store/store.ts'

/** Returns what a secret key is looked up by. Keys are long and random, so one round of a fast hash is enough. */
export function hashKey(secret: string): string {
  return createHash('sha256').update(secret).digest('hex')
}

/** Dependencies of storing a key. */
export interface StoreKeyOptions {
  /** The key; a new one where it is left out. */
  readonly secret?: string | undefined
  /** Encrypts it: it also signs the calls of the bridge. */
  readonly vault: Vault
  /** The time, milliseconds since 1970. */
  readonly nowMs: number
}

/**
 * Stores the secret key of an environment in place of the one it had, which ends with the transaction.
 *
 * @returns The key. It cannot be read again.
 */
export async function storeApiKey(tx: Session, environmentId: string, options: StoreKeyOptions): Promise<string> {
  const { secret = `sk_${randomBytes(24).toString('hex')}`, vault, nowMs } = options
  const values = { hash: hashKey(secret), sealed: vault.seal(secret), createdAt: nowMs }
  await tx
    .insertInto('apiKeys')
    .values({ environmentId, ...values })
    .onConflict((conflict) => conflict.column('environmentId').doUpdateSet(values))
    .execute()
  return secret
}
