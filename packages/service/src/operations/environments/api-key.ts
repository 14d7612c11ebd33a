import { randomBytes } from 'node:crypto'
import type { JsonObject } from '@trestle/protocol'
import { hashKey } from '../../keys/hash-key.ts'
import { sealedPlaces } from '../../secrets/sealed-places.ts'
import type { Vault } from '../../secrets/vault.ts'
import type { Session } from '../../store/store.ts'

/** Dependencies of {@link storeApiKey}. */
export interface StoreKeyOptions {
  /** The key. @default a new random key */
  readonly secret?: string | undefined
  /** Encrypts the key, which also signs bridge calls. */
  readonly vault: Vault
  /** The time, in milliseconds since 1970. */
  readonly nowMs: number
}

/**
 * Replaces the secret key of an environment. The old key becomes invalid when the transaction commits.
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

/**
 * Replaces the secret key of an environment with a new one, for good: a start does not restore the old key, even if it
 * is still configured.
 *
 * @returns The new key. It cannot be read again.
 */
export async function regenerateApiKey(tx: Session, environmentId: string, options: StoreKeyOptions): Promise<string> {
  const old = await tx
    .selectFrom('apiKeys')
    .select('hash')
    .where('environmentId', '=', environmentId)
    .executeTakeFirst()
  if (old)
    await tx
      .insertInto('settings')
      .values({ key: toReplacedKey(old.hash), value: environmentId })
      .onConflict((conflict) => conflict.doNothing())
      .execute()
  return storeApiKey(tx, environmentId, options)
}

/** Returns whether a secret key was replaced by {@link regenerateApiKey}. */
export async function isReplacedKey(tx: Session, secret: string): Promise<boolean> {
  const key = toReplacedKey(hashKey(secret))
  return (await tx.selectFrom('settings').select('key').where('key', '=', key).executeTakeFirst()) !== undefined
}

const toReplacedKey = (hash: string): string => `replaced secret key ${hash}`

/** Shown instead of a key. */
export const hiddenKey = '********'

/**
 * Returns a key in the API format. The organization is its creator, because keys belong to no person.
 *
 * @param key - The key, or {@link hiddenKey}.
 * @param organizationId - Row id of the owner.
 */
export function toApiKey(key: string, organizationId: string): JsonObject {
  return { key, _userId: organizationId }
}

/**
 * Returns a list of keys with the keys masked.
 *
 * @param apiKeys - A list of {@link toApiKey}.
 */
export function hideKeys(apiKeys: unknown): readonly JsonObject[] {
  return (apiKeys as readonly JsonObject[]).map((key) => ({ ...key, key: hiddenKey }))
}
