import type { Logger } from 'pino'
import { renewSecrets } from '../secrets/renew-secrets.ts'
import type { Vault } from '../secrets/vault.ts'
import type { Store } from '../store/store.ts'

const done = { key: 'secrets are bound to their rows', value: '1' } as const

/**
 * Binds secrets from an earlier version to their rows, once per database and before anything reads them, because
 * nothing else can decrypt unbound secrets.
 *
 * @param logger - Receives secrets that no key can decrypt.
 */
export async function bindSecrets(store: Store, vault: Vault, logger: Pick<Logger, 'info' | 'error'>): Promise<void> {
  const { db } = store
  if (await db.selectFrom('settings').select('value').where('key', '=', done.key).executeTakeFirst()) return
  const { renewed, unopened } = await renewSecrets(store, vault, new AbortController().signal)
  if (renewed > 0) logger.info({ renewed }, 'secrets were bound to their rows')
  if (Object.keys(unopened).length > 0)
    logger.error({ unopened }, 'some secrets cannot be decrypted by any configured key')
  await db
    .insertInto('settings')
    .values(done)
    .onConflict((conflict) => conflict.column('key').doNothing())
    .execute()
}
