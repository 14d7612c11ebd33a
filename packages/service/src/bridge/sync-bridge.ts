import { BridgeClientError, BridgeSyncError, createBridgeClient } from '@trestle/bridge-client'
import type { DiscoverReply, WorkflowManifest } from '@trestle/protocol'
import type { Clock } from '../clock/clock.ts'
import { UnstorableValueError } from '../store/check-parameter.ts'
import type { WorkflowRow } from '../store/schema/workflow.ts'
import type { Store } from '../store/store.ts'
import type { BridgeSettings } from './bridge-port.ts'
import type { BridgeTarget } from './bridge-target.ts'
import { findAgentFault, findManifestFault } from './check-manifests.ts'
import { storeAgents } from './store-agents.ts'
import { storeWorkflows } from './store-workflows.ts'
import type { SyncFeed } from './sync-feed.ts'
import { storeSyncStatus, toSyncFailure } from './sync-status.ts'

/** Dependencies of a sync. */
export interface SyncPorts {
  /** The database. */
  readonly store: Store
  /** The time. */
  readonly clock: Clock
  /** Network policy, limits and clocks of the client of bridges. */
  readonly settings?: BridgeSettings
  /** Told when a sync has ended, well or not. @default nobody */
  readonly feed?: Pick<SyncFeed, 'notify'>
}

/**
 * Takes over the workflows and agents of a bridge: those it lists are made or updated, those that left it are removed, and the URL
 * is stored last, all in one transaction. A sync that fails changes nothing but what is kept of the last sync.
 *
 * @param ports - What it takes.
 * @param target - The environment.
 * @param bridgeUrl - Where the bridge is.
 * @returns The workflows as stored, in the bridge's order.
 * @throws {BridgeSyncError} The URL is refused, the call failed, or a workflow cannot be stored; its `body` is the whole
 *   answer.
 * @source Specification, "Sync errors"; facts of the REST API, "Sync, preview, discover".
 */
export async function syncBridge(
  ports: SyncPorts,
  target: BridgeTarget,
  bridgeUrl: string,
): Promise<readonly WorkflowRow[]> {
  try {
    const { workflows, agents } = await discover(ports, target, bridgeUrl)
    const fault = findManifestFault(workflows) ?? findAgentFault(agents)
    if (fault !== undefined) throw new BridgeSyncError(fault, { reason: 'the answer cannot be stored' })
    return await storeAll(ports, { target, bridgeUrl, workflows, agents: agents ?? [] })
  } catch (error) {
    if (error instanceof BridgeSyncError) await keepFailure(ports, { target, bridgeUrl, error })
    throw error
  } finally {
    ports.feed?.notify()
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

interface Discovered {
  readonly target: BridgeTarget
  readonly bridgeUrl: string
  readonly workflows: readonly WorkflowManifest[]
  readonly agents: DiscoverReply['agents']
}

async function storeAll(
  { store, clock }: SyncPorts,
  { target, bridgeUrl, workflows, agents }: Discovered,
): Promise<readonly WorkflowRow[]> {
  const stored = store.transaction(async (tx) => {
    const nowMs = clock.now()
    const { environmentId } = target
    const rows = await storeWorkflows(tx, workflows, { environmentId, nowMs })
    await storeAgents(tx, agents, { environmentId, nowMs })
    await tx
      .updateTable('environments')
      .set({ bridgeUrl, syncedAt: nowMs, updatedAt: nowMs })
      .where('id', '=', environmentId)
      .execute()
    await storeSyncStatus(tx, environmentId, { bridgeUrl, workflows, agents, error: null, nowMs })
    return rows
  })
  return stored.catch((error: unknown) => {
    if (error instanceof UnstorableValueError) throw new BridgeSyncError(error.message, error)
    throw error
  })
}

async function discover(
  { settings = {} }: SyncPorts,
  { secretKey, name }: BridgeTarget,
  bridgeUrl: string,
): Promise<DiscoverReply> {
  const { onAttempt: _, ...options } = settings
  const logger = { warn: () => undefined }
  const client = createBridgeClient({ ...options, secretKey, bridgeUrl, environmentName: name, logger })
  try {
    return await client.sync(bridgeUrl)
  } catch (error) {
    throw error instanceof BridgeSyncError ? withNames(error) : error
  }
}

/** A bridge's message tells of the first broken workflow; its data names them all. */
function withNames(error: BridgeSyncError): BridgeSyncError {
  const { cause, message } = error
  const data = cause instanceof BridgeClientError ? cause.data : undefined
  const errors = typeof data === 'object' && data !== null ? Reflect.get(data, 'errors') : undefined
  if (!Array.isArray(errors)) return error
  const names = errors
    .map((one: Partial<WorkflowManifest> | null) => one?.workflowId)
    .filter((name): name is string => typeof name === 'string')
  const untold = names.filter((name) => !message.includes(name))
  if (untold.length === 0) return error
  return new BridgeSyncError(`${message} Broken workflows: ${names.map((name) => `"${name}"`).join(', ')}.`, cause)
}
