import type { StoredStep, WorkflowRow } from '../../store/schema/workflow.ts'
import type { Session } from '../../store/store.ts'

/** What was set in the service for a workflow, and what it was known by. */
export type KeptWorkflow = Omit<WorkflowRow, 'manifest' | 'payloadSchema'>

/** Rows that name a workflow by its row id, and stay where they are while it is not listed. */
const tables = ['preferences', 'stepControls', 'workflowOverrides'] as const
/** So many are asked for at a time. */
const maxAsked = 500

const keyOf = (environmentId: string, identifier: string): string => `goneWorkflow ${environmentId} ${identifier}`

/**
 * Keeps what was set in the service for a workflow that its bridge does not list any more, above all whether it is active, and
 * its row id, by which preferences, control values and overrides know it. A deployment that lacks a workflow for a moment must
 * not take back that it was paused, or that people do not want its messages.
 *
 * @param tx - The session of the transaction.
 * @param workflow - The workflow.
 */
export async function keepChoices(tx: Session, workflow: WorkflowRow): Promise<void> {
  const { manifest: _, payloadSchema: __, ...row } = workflow
  const { environmentId, identifier } = row
  const before = (await loadKept(tx, environmentId, [identifier])).get(identifier)
  // Another one had the identifier before.
  if (before && before.id !== row.id)
    for (const table of tables) await tx.deleteFrom(table).where('workflowId', '=', before.id).execute()
  const value = JSON.stringify({ ...row, steps: withoutSchemas(row.steps) } satisfies KeptWorkflow)
  await tx
    .insertInto('settings')
    .values({ key: keyOf(environmentId, identifier), value })
    .onConflict((conflict) => conflict.column('key').doUpdateSet({ value }))
    .execute()
}

/** The code says them anew. */
function withoutSchemas(steps: string): string {
  const stored = JSON.parse(steps) as readonly StoredStep[]
  return JSON.stringify(stored.map((step) => ({ ...step, controlSchema: {}, extra: {} })))
}

/**
 * Returns those of some workflows that were listed once and are not now, by their identifiers.
 *
 * @param tx - The session of the transaction.
 * @param environmentId - Row id of the environment.
 * @param identifiers - Which workflows.
 */
export async function loadKept(
  tx: Session,
  environmentId: string,
  identifiers: readonly string[],
): Promise<ReadonlyMap<string, KeptWorkflow>> {
  const found = new Map<string, KeptWorkflow>()
  for (let from = 0; from < identifiers.length; from += maxAsked) {
    const keys = identifiers.slice(from, from + maxAsked).map((identifier) => keyOf(environmentId, identifier))
    const rows = await tx.selectFrom('settings').select('value').where('key', 'in', keys).execute()
    for (const { value } of rows) {
      const kept = JSON.parse(value) as KeptWorkflow
      found.set(kept.identifier, kept)
    }
  }
  return found
}

/** Forgets a workflow that is back. */
export async function removeKept(tx: Session, { environmentId, identifier }: KeptWorkflow): Promise<void> {
  await tx.deleteFrom('settings').where('key', '=', keyOf(environmentId, identifier)).execute()
}

/**
 * Returns the row id for a workflow that is made by other means than a sync. Where a bridge once listed one with the same
 * identifier it has that one's, so that who did not want its messages does not get them; control values were for other steps.
 *
 * @param tx - The session of the transaction.
 * @param workflow - The workflow, with the id that it has otherwise.
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

/** Forgets what is kept for the workflows of an environment. */
export async function removeAllKept(tx: Session, environmentId: string): Promise<void> {
  await tx
    .deleteFrom('settings')
    .where('key', 'like', `${keyOf(environmentId, '')}%`)
    .execute()
}
