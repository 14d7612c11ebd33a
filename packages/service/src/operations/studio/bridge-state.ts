import { failures } from '@trestle/bridge-client'
import { isObject, type JsonObject } from '@trestle/protocol'
import { loadSyncStatus, type SyncStatus } from '../../bridge/sync-status.ts'
import { toKnownManifest, toStoredManifest } from '../../bridge/workflows/known-manifest.ts'
import type { CallContext } from '../../context/service-context.ts'
import { compact, readText, toObject, toObjects } from '../../json/json.ts'
import type { WorkflowRow } from '../../store/schema/workflow.ts'
import type { Session } from '../../store/store.ts'

/** The status of an environment's bridge. */
export type BridgeStatus = 'ok' | 'unreachable' | 'refused' | 'never-synced'

/**
 * Returns the bridge status: the last sync, the workflows, discovered or stored through the API, and their problems.
 * Does not call the bridge.
 */
export async function showBridge({ store, environment }: CallContext): Promise<JsonObject> {
  const { db } = store
  const row = await db
    .selectFrom('environments')
    .select('bridgeUrl')
    .where('id', '=', environment.id)
    .executeTakeFirstOrThrow()
  const status = await loadSyncStatus(db, environment.id)
  const workflows = await db
    .selectFrom('workflows')
    .selectAll()
    .where('environmentId', '=', environment.id)
    .orderBy('id')
    .execute()
  const discovered = workflows.filter(({ origin }) => origin === 'external')
  return {
    url: row.bridgeUrl ?? status?.url ?? null,
    status: toBridgeStatus(status, row.bridgeUrl),
    lastSync: status ? { at: new Date(status.atMs).toISOString(), url: status.url, error: status.error } : null,
    workflows: workflows.map((workflow) => ({
      ...(workflow.origin === 'external' ? toKnownManifest(workflow) : toStoredManifest(workflow)),
      _id: workflow.id,
      active: workflow.active === 1,
      isStored: workflow.origin !== 'external',
    })),
    problems: [...brokenWorkflows(status), ...(await foundByRuns(db, discovered))],
  }
}

/**
 * Returns the status of a bridge after its last sync.
 *
 * @param status - The result of the sync; undefined before the first one.
 * @param url - The URL of the environment's bridge.
 */
export function toBridgeStatus(status: SyncStatus | undefined, url: string | null): BridgeStatus {
  if (status === undefined) return url === null ? 'never-synced' : 'ok'
  if (status.error === null) return 'ok'
  const { code } = status.error
  const isUnreachable = code === 'DNS_LOOKUP_FAILED' || (isOwnCode(code) && failures[code].retried)
  return isUnreachable ? 'unreachable' : 'refused'
}

const isOwnCode = (code: string): code is keyof typeof failures => Object.hasOwn(failures, code)

/** A failed discovery lists all broken workflows. */
function brokenWorkflows(status: SyncStatus | undefined): readonly JsonObject[] {
  const errors = toObject(status?.error?.data)['errors']
  if (!Array.isArray(errors)) return []
  return errors.filter(isObject).map(({ workflowId, code, message, data }) =>
    compact({
      workflowId: readText(workflowId) ?? '',
      stepId: readText(toObject(data)['stepId']),
      code: readText(code) ?? status?.error?.code,
      message: readText(message) ?? status?.error?.message,
    }),
  )
}

/** Warnings of runs since the last sync; warnings of discovery are in the manifests. */
async function foundByRuns(db: Session, workflows: readonly WorkflowRow[]): Promise<readonly JsonObject[]> {
  if (workflows.length === 0) return []
  const rows = await db
    .selectFrom('workflowWarnings')
    .innerJoin('workflows', 'workflows.id', 'workflowWarnings.workflowId')
    .select(['workflows.identifier', 'workflowWarnings.stepId', 'workflowWarnings.code', 'workflowWarnings.message'])
    .where('workflows.environmentId', '=', workflows[0]?.environmentId ?? '')
    .where('workflows.origin', '=', 'external')
    .orderBy('workflowWarnings.id')
    .execute()
  const listed = new Set(workflows.flatMap(({ identifier, manifest }) => listedWarnings(identifier, manifest)))
  return rows
    .filter(({ identifier, code }) => !listed.has(JSON.stringify([identifier, code])))
    .map(({ identifier, stepId, code, message }) =>
      compact({ workflowId: identifier, stepId: readText(stepId), code, message }),
    )
}

function listedWarnings(identifier: string, manifest: string | null): readonly string[] {
  const { warnings } = manifest === null ? {} : toObject(JSON.parse(manifest))
  const list = toObjects(warnings)
  return list.map(({ code }) => JSON.stringify([identifier, code]))
}
