import { type KeyPlace, readEncryptionKeys } from '../config/encryption-key.ts'
import { SettingsError } from '../config/settings.ts'
import { sealedPlaces } from '../secrets/sealed-places.ts'
import { createVault, UnsealableError, type Vault } from '../secrets/vault.ts'
import type { Session } from '../store/store.ts'

/**
 * Opens the vault with the encryption key that was used with the database, or with a different one if the original is
 * listed as a previous key. Otherwise no bridge could be called and no message sent. Runs before migrations, so that a
 * database whose key is missing stays unchanged.
 *
 * @param place - The location of the keys; one is created if the database was never used with a key.
 * @param onOpen - Called for a key file that is readable by others.
 * @throws {SettingsError} The key is missing or wrong.
 */
export async function openVault(db: Session, place: KeyPlace, onOpen: (file: string) => void): Promise<Vault> {
  const row = await db
    .selectFrom('apiKeys')
    .select(['environmentId', 'sealed'])
    .orderBy('environmentId')
    .executeTakeFirst()
    .catch((error: unknown) => {
      if (isTableMissing(error)) return undefined
      throw error
    })
  const isOpenedBy = (keys: readonly Uint8Array[]): boolean => row === undefined || canOpen(row, keys)
  const { current, previous } = readEncryptionKeys(place, isOpenedBy, onOpen)
  const vault = createVault(current, previous)
  if (!row) return vault
  try {
    vault.renew(row.sealed, sealedPlaces.apiKey(row.environmentId))
    return vault
  } catch (error) {
    if (!(error instanceof UnsealableError)) throw error
    throw new SettingsError(
      'SERVICE_ENCRYPTION_KEY: this database was used with a different encryption key. Start with that key: it is in the file "encryption.key" in the data folder, unless the variable was set. To switch to the new key, list the old one in SERVICE_PREVIOUS_ENCRYPTION_KEYS.',
    )
  }
}

interface SealedKey {
  readonly environmentId: string
  readonly sealed: string
}

/** An earlier version may have encrypted it without binding. */
function canOpen({ environmentId, sealed }: SealedKey, [first, ...others]: readonly Uint8Array[]): boolean {
  try {
    if (first === undefined) return false
    createVault(first, others).renew(sealed, sealedPlaces.apiKey(environmentId))
    return true
  } catch (error) {
    if (error instanceof UnsealableError) return false
    throw error
  }
}

/** The errors of both databases for a table that no migration has created yet. */
function isTableMissing(error: unknown): boolean {
  const { code, message } = error as { readonly code?: unknown; readonly message?: unknown }
  return code === '42P01' || String(message).includes('no such table')
}
