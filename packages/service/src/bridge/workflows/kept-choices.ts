import type { StoredStep, WorkflowRow } from '../../store/schema/workflow.ts'
import type { Session } from '../../store/store.ts'

/** A workflow's settings in the service, and its identifiers. */
export type KeptWorkflow = Omit<WorkflowRow, 'manifest' | 'payloadSchema' | 'cancelOn'>

/** Tables that refer to a workflow by row id. Their rows are kept while the workflow is not listed. */
const tables = ['preferences', 'stepControls', 'workflowOverrides'] as const
/** The batch size of queries. */
const maxAsked = 500

const keyOf = (environmentId: string, identifier: string): string => `goneWorkflow ${environmentId} ${identifier}`

/**
 * Keeps the settings of a workflow that its bridge no longer lists: primarily whether it is active, and its row id,
 * which preferences, control values and overrides refer to. A deployment that temporarily lacks a workflow must not
 * undo that it was paused, or that subscribers opted out.
 *
 * @param tx - The transaction.
 */
export async function keepChoices(tx: Session, workflow: WorkflowRow): Promise<void> {
  const { manifest: _, payloadSchema: __, cancelOn: ___, ...row } = workflow
  const { environmentId, identifier } = row
  const before = (await loadKept(tx, environmentId, [identifier])).get(identifier)
  // A different workflow used this identifier before.
  if (before && before.id !== row.id)
    for (const table of tables) await tx.deleteFrom(table).where('workflowId', '=', before.id).execute()
  const value = JSON.stringify({ ...row, steps: withoutSchemas(row.steps) } satisfies KeptWorkflow)
  await tx
    .insertInto('settings')
    .values({ key: keyOf(environmentId, identifier), value })
    .onConflict((conflict) => conflict.column('key').doUpdateSet({ value }))
    .execute()
}

/** Removes the fields that the code will define again. */
function withoutSchemas(steps: string): string {
  const stored = JSON.parse(steps) as readonly StoredStep[]
  return JSON.stringify(stored.map((step) => ({ ...step, controlSchema: {}, extra: {} })))
}

/**
 * Returns the kept settings of workflows that are no longer listed, by identifier.
 *
 * @param tx - The transaction.
 * @param environmentId - Row id of the environment.
 */
export async function loadKept(
  tx: Session,
  environmentId: string,
  identifiers: readonly string[],
): Promise<ReadonlyMap<string, KeptWorkflow>> {
  const keptWorkflows = new Map<string, KeptWorkflow>()
  for (let from = 0; from < identifiers.length; from += maxAsked) {
    const keys = identifiers.slice(from, from + maxAsked).map((identifier) => keyOf(environmentId, identifier))
    const rows = await tx.selectFrom('settings').select('value').where('key', 'in', keys).execute()
    for (const { value } of rows) {
      const kept = JSON.parse(value) as KeptWorkflow
      keptWorkflows.set(kept.identifier, kept)
    }
  }
  return keptWorkflows
}

/** Deletes the kept settings of a workflow that is listed again. */
export async function removeKept(tx: Session, { environmentId, identifier }: KeptWorkflow): Promise<void> {
  await tx.deleteFrom('settings').where('key', '=', keyOf(environmentId, identifier)).execute()
}

/**
 * Returns the row id for a workflow that is not created by a sync. If a bridge once listed a workflow with the same
 * identifier, its row id is reused, so that subscribers who opted out stay opted out. Control values are deleted,
 * because they belong to other steps.
 *
 * @param tx - The transaction.
 * @param workflow - The workflow, with its default row id.
 */
export async function takeUpId(
  tx: Session,
  { id, environmentId, identifier }: Pick<WorkflowRow, 'id' | 'environmentId' | 'identifier'>,
): Promise<string> {
  const kept = (await loadKept(tx, environmentId, [identifier])).get(identifier)
  if (!kept) return id
  await removeKept(tx, kept)
  await tx.deleteFrom('stepControls').where('workflowId', '=', kept.id).execute()
  return kept.id
}

/** Deletes the kept settings of all workflows of an environment. */
export async function removeAllKept(tx: Session, environmentId: string): Promise<void> {
  await tx
    .deleteFrom('settings')
    .where('key', 'like', `${keyOf(environmentId, '')}%`)
    .execute()
}
