import { toEnvironmentType } from '../api/environment-type.ts'
import { sealedPlaces } from '../secrets/sealed-places.ts'
import type { Vault } from '../secrets/vault.ts'
import type { Session } from '../store/store.ts'
import { readVariables } from '../variables/read-variables.ts'
import type { BridgeTarget } from './bridge-target.ts'

/**
 * Returns what it takes to call the bridge of an environment, as it is now.
 *
 * @param environmentId - Row id of the environment.
 * @throws {Error} When the environment is gone.
 */
export async function loadTarget(db: Session, vault: Vault, environmentId: string): Promise<BridgeTarget> {
  const environment = await db
    .selectFrom('environments')
    .leftJoin('apiKeys', 'apiKeys.environmentId', 'environments.id')
    .select(['environments.name', 'environments.bridgeUrl', 'apiKeys.sealed'])
    .where('environments.id', '=', environmentId)
    .executeTakeFirst()
  if (!environment) throw new Error(`The environment ${environmentId} is gone.`)
  const { name, bridgeUrl, sealed } = environment
  return {
    environmentId,
    name,
    type: toEnvironmentType({ name }),
    secretKey: sealed === null ? '' : vault.open(sealed, sealedPlaces.apiKey(environmentId)),
    bridgeUrl,
    ...(await readVariables(db, vault, environmentId)),
  }
}
