import { createHash } from 'node:crypto'
import { BridgeClientError, type BridgeSyncError } from '@trestle/bridge-client'
import { type DiscoverReply, type JsonObject, parseUrl, type WorkflowManifest } from '@trestle/protocol'
import { isObject } from '../json/json.ts'
import type { Session } from '../store/store.ts'
import type { BridgeTarget } from './bridge-target.ts'
import { maskSecrets } from './mask-secrets.ts'

/** Why a sync failed. */
export interface SyncFailure {
  /** A code of the client of bridges, or the bridge's own. */
  readonly code: string
  /** What is wrong, for people. */
  readonly message: string
  /** Details of the bridge's own error; `null` for every other failure, and for details that are too long. */
  readonly data: unknown
}

/** How the last sync of an environment went. */
export interface SyncStatus {
  /** When it was, milliseconds since 1970. */
  readonly atMs: number
  /** Where the bridge was looked for, as it may be shown. */
  readonly url: string
  /** Why it failed; `null` when it did not. */
  readonly error: SyncFailure | null
  /** Changes when what the sync found is not what the one before found. */
  readonly revision: string
}

const maxDataLength = 200_000
/** What an answer of a bridge is that no service can store. */
const unstorableCode = 'ResponseParseError'

/**
 * Returns how a failed sync is kept, secrets masked.
 *
 * @param error - The failure.
 * @param target - The environment, which knows the secrets.
 */
export function toSyncFailure(error: BridgeSyncError, { secrets, secretKey }: BridgeTarget): SyncFailure {
  const { cause, message } = error
  const code = cause instanceof BridgeClientError ? cause.code : unstorableCode
  const data = cause instanceof BridgeClientError ? withoutWorkflows(cause.data) : null
  const shown = JSON.stringify(data ?? null).length > maxDataLength ? null : data
  return maskSecrets({ code, message, data: shown ?? null }, [...secrets, secretKey]) as JsonObject & SyncFailure
}

/** A failed discover carries the healthy workflows too; they are not what failed. */
function withoutWorkflows(data: unknown): unknown {
  if (!isObject(data)) return data
  const { workflows: _, ...rest } = data
  return rest
}

/** What a sync came to. */
export interface SyncOutcome {
  /** Where the bridge was looked for. */
  readonly bridgeUrl: string
  /** The workflows it found; none when it failed. */
  readonly workflows: readonly WorkflowManifest[]
  /** The agents it found; none when it failed. */
  readonly agents: DiscoverReply['agents']
  /** Why it failed. */
  readonly error: SyncFailure | null
  /** When it was, milliseconds since 1970. */
  readonly nowMs: number
}

/** Keeps how a sync went, in place of the one before. */
export async function storeSyncStatus(tx: Session, environmentId: string, outcome: SyncOutcome): Promise<void> {
  const { bridgeUrl, workflows, agents, error, nowMs } = outcome
  const url = toShownUrl(bridgeUrl)
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

/** Returns how the last sync of an environment went; undefined when there was none. */
export async function loadSyncStatus(db: Session, environmentId: string): Promise<SyncStatus | undefined> {
  const row = await db.selectFrom('settings').select('value').where('key', '=', keyOf(environmentId)).executeTakeFirst()
  return row && (JSON.parse(row.value) as SyncStatus)
}

/** Forgets the last sync of an environment. */
export async function removeSyncStatus(tx: Session, environmentId: string): Promise<void> {
  await tx.deleteFrom('settings').where('key', '=', keyOf(environmentId)).execute()
}

const keyOf = (environmentId: string): string => `bridgeSync ${environmentId}`

/** Without user info and query, which may hold secrets. */
function toShownUrl(url: string): string {
  const parsed = parseUrl(url)
  if (parsed === undefined) return url.slice(0, 500)
  const { protocol, host, pathname } = parsed
  return `${protocol}//${host}${pathname}`
}
