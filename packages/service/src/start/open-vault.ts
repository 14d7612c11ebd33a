import { type KeyPlace, readEncryptionKeys } from '../config/encryption-key.ts'
import { checkVault, findSealedKey, opensKey, type SealedKey } from '../operations/environments/sealed-key.ts'
import { createVault, type Vault } from '../secrets/vault.ts'
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
  const row = await findSealedKey(db).catch((error: unknown) => {
    if (isTableMissing(error)) return undefined
    throw error
  })
  const isOpenedBy = (keys: readonly Uint8Array[]): boolean => row === undefined || canOpen(row, keys)
  const { current, previous } = readEncryptionKeys(place, isOpenedBy, onOpen)
  const vault = createVault(current, previous)
  checkVault(vault, row)
  return vault
}

function canOpen(row: SealedKey, [first, ...others]: readonly Uint8Array[]): boolean {
  return first !== undefined && opensKey(createVault(first, others), row)
}

/** The errors of both databases for a table that no migration has created yet. */
function isTableMissing(error: unknown): boolean {
  const { code, message } = error as { readonly code?: unknown; readonly message?: unknown }
  return code === '42P01' || String(message).includes('no such table')
}
