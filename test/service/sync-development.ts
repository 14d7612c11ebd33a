import { syncBridge } from '../../packages/service/src/bridge/sync-bridge.ts'
import { systemClock } from '../../packages/service/src/clock/clock.ts'
import type { Store } from '../../packages/service/src/store/store.ts'

/**
 * Stores the workflows of a bridge in the environment Development.
 *
 * @returns The row id of the environment.
 */
export async function syncDevelopment(store: Store, bridgeUrl: string): Promise<string> {
  const { id: environmentId } = await store.db
    .selectFrom('environments')
    .select('id')
    .where('name', '=', 'Development')
    .executeTakeFirstOrThrow()
  const target = {
    ...({ environmentId, name: 'Development', type: 'dev', secretKey: 'k', bridgeUrl: null } as const),
    ...{ variables: {}, secretKeys: [], secrets: [] },
  }
  await syncBridge({ store, clock: systemClock, settings: { policy: 'off' } }, target, bridgeUrl)
  return environmentId
}
