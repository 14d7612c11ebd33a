import { randomBytes } from 'node:crypto'
import type { JsonObject } from '@trestle/protocol'
import { hashKey } from '../../keys/hash-key.ts'
import { sealedPlaces } from '../../secrets/sealed-places.ts'
import type { Vault } from '../../secrets/vault.ts'
import type { Session } from '../../store/store.ts'

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
  const values = {
    hash: hashKey(secret),
    sealed: vault.seal(secret, sealedPlaces.apiKey(environmentId)),
    createdAt: nowMs,
  }
  await tx
    .insertInto('apiKeys')
    .values({ environmentId, ...values })
    .onConflict((conflict) => conflict.column('environmentId').doUpdateSet(values))
    .execute()
  return secret
}

/** Stands where a key was shown, or would be. */
export const hiddenKey = '********'

/**
 * Returns a key as the API shows it. There are no users, so the organization made it.
 *
 * @param key - The key, or {@link hiddenKey}.
 * @param organizationId - Whose it is.
 */
export function toApiKey(key: string, organizationId: string): JsonObject {
  return { key, _userId: organizationId }
}

/**
 * Returns the answer that showed keys without them.
 *
 * @param shown - A list of {@link toApiKey}.
 */
export function hideKeys(shown: unknown): readonly JsonObject[] {
  return (shown as readonly JsonObject[]).map((key) => ({ ...key, key: hiddenKey }))
}
