import { type KeyPlace, readEncryptionKey } from '../config/encryption-key.ts'
import { SettingsError } from '../config/settings.ts'
import { createVault, UnsealableError, type Vault } from '../secrets/vault.ts'
import type { Session } from '../store/store.ts'

/**
 * Opens the vault, before the database is migrated: one that is not taken into use stays as its version left it. It opens with the encryption key that the database was used with before: with another one no bridge could be
 * called and no message sent.
 *
 * @param db - The database.
 * @param place - Where the key is; it is made where the database was used with none.
 * @param onOpen - Told of a key's file that others than its owner may read.
 * @throws {SettingsError} The key is missing, or another one.
 */
export async function openVault(db: Session, place: KeyPlace, onOpen: (file: string) => void): Promise<Vault> {
  const row = await db
    .selectFrom('apiKeys')
    .select('sealed')
    .orderBy('environmentId')
    .executeTakeFirst()
    .catch((error: unknown) => {
      if (isTableMissing(error)) return undefined
      throw error
    })
  const vault = createVault(readEncryptionKey(place, row !== undefined, onOpen))
  if (!row) return vault
  try {
    vault.open(row.sealed)
    return vault
  } catch (error) {
    if (!(error instanceof UnsealableError)) throw error
    throw new SettingsError(
      'SERVICE_ENCRYPTION_KEY: this database was used with another encryption key. Start with that one: its file is "encryption.key" in the data folder, unless the variable was set.',
    )
  }
}

/** What both databases say of a table that no migration has made yet. */
function isTableMissing(error: unknown): boolean {
  const { code, message } = error as { readonly code?: unknown; readonly message?: unknown }
  return code === '42P01' || String(message).includes('no such table')
}
