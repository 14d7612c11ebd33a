import { SettingsError } from '../config/settings.ts'
import { UnsealableError, type Vault } from '../secrets/vault.ts'
import type { Session } from '../store/store.ts'

/**
 * Throws unless the encryption key is the one the database was used with before: with another one no bridge could be
 * called and no message sent.
 *
 * @param db - The database.
 * @param vault - Made of the key.
 * @throws {SettingsError} It is another one.
 */
export async function checkEncryptionKey(db: Session, vault: Vault): Promise<void> {
  const row = await db.selectFrom('apiKeys').select('sealed').orderBy('environmentId').executeTakeFirst()
  if (!row) return
  try {
    vault.open(row.sealed)
  } catch (error) {
    if (!(error instanceof UnsealableError)) throw error
    throw new SettingsError(
      'SERVICE_ENCRYPTION_KEY: this database was used with another encryption key. Start with that one: its file is "encryption.key" in the data folder, unless the variable was set.',
    )
  }
}
