import type { Logger } from 'pino'
import { renewSecrets } from '../secrets/renew-secrets.ts'
import type { Vault } from '../secrets/vault.ts'
import type { Store } from '../store/store.ts'

const done = { key: 'secrets are bound to their rows', value: '1' } as const

/**
 * Binds the secrets that an earlier version has sealed to their rows, once for each database and before anything reads them:
 * unbound ones are opened by nothing else.
 *
 * @param store - The database, migrated.
 * @param vault - Knows the keys.
 * @param logger - Told of secrets that no key opens.
 */
export async function bindSecrets(store: Store, vault: Vault, logger: Pick<Logger, 'info' | 'error'>): Promise<void> {
  const { db } = store
  if (await db.selectFrom('settings').select('value').where('key', '=', done.key).executeTakeFirst()) return
  const { renewed, unopened } = await renewSecrets(store, vault, new AbortController().signal)
  if (renewed > 0) logger.info({ renewed }, 'secrets were bound to their rows')
  if (Object.keys(unopened).length > 0) logger.error({ unopened }, 'some secrets are opened by no key that is named')
  await db
    .insertInto('settings')
    .values(done)
    .onConflict((conflict) => conflict.column('key').doNothing())
    .execute()
}
