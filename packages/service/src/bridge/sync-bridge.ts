import { BridgeSyncError, createBridgeClient } from '@trestle/bridge-client'
import type { Clock } from '../clock/clock.ts'
import { UnstorableValueError } from '../store/check-parameter.ts'
import type { WorkflowRow } from '../store/schema/workflow.ts'
import type { Store } from '../store/store.ts'
import type { BridgeSettings } from './bridge-port.ts'
import type { BridgeTarget } from './bridge-target.ts'
import { type Discovered, toDiscovered, toPartlyDiscovered } from './discovered.ts'
import { storeAgents } from './store-agents.ts'
import type { SyncFeed } from './sync-feed.ts'
import { storeSyncStatus, toSyncFailure } from './sync-status.ts'
import { storeWorkflows } from './workflows/store-workflows.ts'

/** Dependencies of a sync. */
export interface SyncPorts {
  readonly store: Store
  readonly clock: Clock
  /** Settings of the bridge client: network policy, limits and clocks. */
  readonly settings?: BridgeSettings
  /** Called after each sync, successful or not. @default none */
  readonly feed?: Pick<SyncFeed, 'notify'>
}

/**
 * Syncs a bridge with the database in one transaction: creates or updates listed workflows and agents, removes missing
 * ones, and finally stores the URL. If some workflows fail, the valid ones are stored, the failing ones are left
 * unchanged, and the sync rejects with the ids of the failing ones. If nothing can be stored, only the failure is
 * stored.
 *
 * @param bridgeUrl - The URL of the bridge.
 * @returns The stored workflows, in the bridge's order.
 * @throws {BridgeSyncError} The URL is rejected, the call failed, or a workflow cannot be stored. Its `body` is the
 * complete response body.
 * @source service-api.md#sync-errors
 */
export async function syncBridge(
  ports: SyncPorts,
  target: BridgeTarget,
  bridgeUrl: string,
): Promise<readonly WorkflowRow[]> {
  try {
    const discovered = await discover(ports, target, bridgeUrl)
    const { error } = discovered
    if (error && discovered.workflows.length === 0) throw error
    const rows = await storeAll(ports, { target, bridgeUrl, ...discovered })
    if (error) throw new PartialSyncError(error, rows.length)
    return rows
  } catch (error) {
    if (error instanceof BridgeSyncError && !(error instanceof PartialSyncError))
      await keepFailure(ports, { target, bridgeUrl, error })
    throw error
  } finally {
    ports.feed?.notify()
  }
}

/** Reports that some workflows failed while the others were stored. */
class PartialSyncError extends BridgeSyncError {
  constructor({ message, cause }: BridgeSyncError, count: number) {
    const stored = count === 1 ? 'The other workflow was synced.' : `The other ${count} workflows were synced.`
    super(`${message} ${stored}`, cause)
  }
}

interface Failed {
  readonly target: BridgeTarget
  readonly bridgeUrl: string
  readonly error: BridgeSyncError
}

async function keepFailure({ store, clock }: SyncPorts, { target, bridgeUrl, error }: Failed): Promise<void> {
  const outcome = { bridgeUrl, workflows: [], agents: [], error: toSyncFailure(error, target), nowMs: clock.now() }
  await storeSyncStatus(store.db, target.environmentId, outcome)
}

async function storeAll(
  { store, clock }: SyncPorts,
  { target, bridgeUrl, ...discovered }: Discovered & { readonly target: BridgeTarget; readonly bridgeUrl: string },
): Promise<readonly WorkflowRow[]> {
  const { workflows, agents, isLed, stay, error: failed } = discovered
  const stored = store.transaction(async (tx) => {
    const nowMs = clock.now()
    const { environmentId } = target
    const rows = await storeWorkflows(tx, workflows, { environmentId, nowMs, isLed, stay })
    if (agents) await storeAgents(tx, agents, { environmentId, nowMs })
    await tx
      .updateTable('environments')
      .set({ bridgeUrl, syncedAt: nowMs, updatedAt: nowMs })
      .where('id', '=', environmentId)
      .execute()
    const error = failed ? toSyncFailure(failed, target) : null
    await storeSyncStatus(tx, environmentId, { bridgeUrl, workflows, agents: agents ?? [], error, nowMs })
    return rows
  })
  return stored.catch((error: unknown) => {
    if (error instanceof UnstorableValueError) throw new BridgeSyncError(error.message, error)
    throw error
  })
}

async function discover(ports: SyncPorts, target: BridgeTarget, bridgeUrl: string): Promise<Discovered> {
  const { onAttempt: _, ...options } = ports.settings ?? {}
  const { secretKey, name } = target
  const logger = { warn: () => undefined }
  const client = createBridgeClient({ ...options, secretKey, bridgeUrl, environmentName: name, logger })
  try {
    return toDiscovered(await client.sync(bridgeUrl))
  } catch (error) {
    const partial = error instanceof BridgeSyncError ? toPartlyDiscovered(error) : undefined
    if (!partial) throw error
    return partial
  }
}
