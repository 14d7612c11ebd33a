import { createHash } from 'node:crypto'
import { BridgeClientError, type BridgeSyncError } from '@trestle/bridge-client'
import { type DiscoverReply, isObject, type JsonObject, parseUrl, type WorkflowManifest } from '@trestle/protocol'
import type { Session } from '../store/store.ts'
import type { BridgeTarget } from './bridge-target.ts'
import { maskSecrets } from './mask-secrets.ts'

/** The failure of a sync. */
export interface SyncFailure {
  /** A code from the bridge client, or the bridge's own. */
  readonly code: string
  /** The human-readable message. */
  readonly message: string
  /** Details of the bridge's own error; `null` for other failures, and if they are too long. */
  readonly data: unknown
}

/** The result of the last sync of an environment. */
export interface SyncStatus {
  /** When it ran, in milliseconds since 1970. */
  readonly atMs: number
  /** The URL of the bridge, safe to show. */
  readonly url: string
  /** The failure; `null` on success. */
  readonly error: SyncFailure | null
  /** A revision that changes whenever the result differs from that of the previous sync. */
  readonly revision: string
}

const maxDataLength = 200_000
/** The error code for a bridge reply that the service cannot store. */
const unstorableCode = 'ResponseParseError'

/**
 * Returns a failed sync for storage, with secrets masked.
 *
 * @param target - The environment, with its secrets.
 */
export function toSyncFailure(error: BridgeSyncError, { secrets, secretKey }: BridgeTarget): SyncFailure {
  const { cause, message } = error
  const code = cause instanceof BridgeClientError ? cause.code : unstorableCode
  const data = cause instanceof BridgeClientError ? withoutWorkflows(cause.data) : null
  const keptData = JSON.stringify(data ?? null).length > maxDataLength ? null : data
  return maskSecrets({ code, message, data: keptData ?? null }, [...secrets, secretKey]) as JsonObject & SyncFailure
}

/** Removes the valid workflows, which the data of a failed discovery also contains. */
function withoutWorkflows(data: unknown): unknown {
  if (!isObject(data)) return data
  const { workflows: _, ...rest } = data
  return rest
}

/** The outcome of a sync. */
export interface SyncOutcome {
  /** The URL of the bridge. */
  readonly bridgeUrl: string
  /** The discovered workflows; empty if the sync failed. */
  readonly workflows: readonly WorkflowManifest[]
  /** The discovered agents; empty if the sync failed. */
  readonly agents: DiscoverReply['agents']
  readonly error: SyncFailure | null
  /** When it ran, in milliseconds since 1970. */
  readonly nowMs: number
}

/** Stores the result of a sync, replacing the previous one. */
export async function storeSyncStatus(tx: Session, environmentId: string, outcome: SyncOutcome): Promise<void> {
  const { bridgeUrl, workflows, agents, error, nowMs } = outcome
  const url = toDisplayUrl(bridgeUrl)
  const revision = createHash('sha256')
    .update(JSON.stringify([url, workflows, agents, error]))
    .digest('base64url')
    .slice(0, 16)
  const value = JSON.stringify({ atMs: nowMs, url, error, revision } satisfies SyncStatus)
  await tx
    .insertInto('settings')
    .values({ key: keyOf(environmentId), value })
    .onConflict((conflict) => conflict.column('key').doUpdateSet({ value }))
    .execute()
}

/** Returns the result of the last sync of an environment; undefined before the first one. */
export async function loadSyncStatus(db: Session, environmentId: string): Promise<SyncStatus | undefined> {
  const row = await db.selectFrom('settings').select('value').where('key', '=', keyOf(environmentId)).executeTakeFirst()
  return row && (JSON.parse(row.value) as SyncStatus)
}

/** Deletes the sync result of an environment. */
export async function removeSyncStatus(tx: Session, environmentId: string): Promise<void> {
  await tx.deleteFrom('settings').where('key', '=', keyOf(environmentId)).execute()
}

const keyOf = (environmentId: string): string => `bridgeSync ${environmentId}`

/** Removes credentials and query, which can contain secrets. */
function toDisplayUrl(url: string): string {
  const parsed = parseUrl(url)
  if (parsed === undefined) return url.slice(0, 500)
  const { protocol, host, pathname } = parsed
  return `${protocol}//${host}${pathname}`
}
