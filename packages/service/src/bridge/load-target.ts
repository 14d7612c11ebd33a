import { toEnvironmentType } from '../api/environment-type.ts'
import { createBatches } from '../batches/batches.ts'
import { sealedPlaces } from '../secrets/sealed-places.ts'
import type { Vault } from '../secrets/vault.ts'
import { createQueryKey, runPrepared } from '../store/prepared.ts'
import type { Session } from '../store/store.ts'
import { readVariables } from '../variables/read-variables.ts'
import type { BridgeTarget } from './bridge-target.ts'

const environmentWithKeyQuery = createQueryKey('environment with its key')

/**
 * Returns everything needed to call the bridge of an environment.
 *
 * @param environmentId - Row id of the environment.
 * @throws {Error} The environment no longer exists.
 */
export async function loadTarget(db: Session, vault: Vault, environmentId: string): Promise<BridgeTarget> {
  const { rows } = await runPrepared(db, {
    key: environmentWithKeyQuery,
    values: [environmentId],
    build: () =>
      db
        .selectFrom('environments')
        .leftJoin('apiKeys', 'apiKeys.environmentId', 'environments.id')
        .select(['environments.name', 'environments.bridgeUrl', 'apiKeys.sealed'])
        .where('environments.id', '=', environmentId),
  })
  const [environment] = rows
  if (!environment) throw new Error(`The environment ${environmentId} no longer exists.`)
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

/**
 * Creates a loader that reads an environment only once for concurrent callers; see {@link loadTarget}.
 *
 * @param db - The database to read from.
 * @param vault - Decrypts stored secrets.
 */
export function createTargetLoader(db: Session, vault: Vault): (environmentId: string) => Promise<BridgeTarget> {
  return createBatches<string, BridgeTarget>({
    maxWeight: Number.POSITIVE_INFINITY,
    async run(environmentIds) {
      const loaded = new Map<string, BridgeTarget>()
      for (const id of new Set(environmentIds)) loaded.set(id, await loadTarget(db, vault, id))
      return environmentIds.flatMap((id) => loaded.get(id) ?? [])
    },
  })
}
