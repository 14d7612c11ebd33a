import { SettingsError } from '../../config/settings.ts'
import { sealedPlaces } from '../../secrets/sealed-places.ts'
import { UnsealableError, type Vault } from '../../secrets/vault.ts'
import type { Session } from '../../store/store.ts'

/** The encrypted secret key of an environment. */
export interface SealedKey {
  readonly environmentId: string
  readonly sealed: string
}

/** Returns the encrypted secret key of one environment; `undefined` if the database has none. */
export function findSealedKey(db: Session): Promise<SealedKey | undefined> {
  return db.selectFrom('apiKeys').select(['environmentId', 'sealed']).orderBy('environmentId').executeTakeFirst()
}

/** Returns whether a vault decrypts a key. An earlier version may have encrypted it without binding. */
export function opensKey(vault: Vault, { environmentId, sealed }: SealedKey): boolean {
  try {
    vault.renew(sealed, sealedPlaces.apiKey(environmentId))
    return true
  } catch (error) {
    if (error instanceof UnsealableError) return false
    throw error
  }
}

/**
 * Checks that a vault decrypts a key of the database, if there is one.
 *
 * @throws {SettingsError} The database was used with a different encryption key.
 */
export function checkVault(vault: Vault, key: SealedKey | undefined): void {
  if (key === undefined || opensKey(vault, key)) return
  throw new SettingsError(
    'SERVICE_ENCRYPTION_KEY: this database was used with a different encryption key. Start with that key: it is in the file "encryption.key" in the data folder, unless the variable was set. To switch to the new key, list the old one in SERVICE_PREVIOUS_ENCRYPTION_KEYS.',
  )
}
