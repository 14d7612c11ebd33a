import type { WorkflowRow } from '../store/schema/workflow.ts'
import type { Session } from '../store/store.ts'

/** What was set in the service for a workflow, and what it was known by. */
export type KeptWorkflow = Omit<WorkflowRow, 'manifest' | 'payloadSchema'>

/** Rows that name a workflow by its row id, and stay where they are while it is not listed. */
const tables = ['preferences', 'stepControls', 'workflowOverrides'] as const

const prefixOf = (environmentId: string): string => `goneWorkflow ${environmentId} `

/**
 * Keeps what was set in the service for a workflow that its bridge does not list any more, above all whether it is active, and
 * its row id, by which preferences, control values and overrides know it. A deployment that lacks a workflow for a moment must
 * not take back that it was paused, or that people do not want its messages.
 *
 * @param tx - The session of the transaction.
 * @param workflow - The workflow.
 */
export async function keepChoices(tx: Session, workflow: WorkflowRow): Promise<void> {
  const { manifest: _, payloadSchema: __, ...kept } = workflow
  const { environmentId, identifier } = kept
  const before = (await loadKept(tx, environmentId)).get(identifier)
  if (before) for (const table of tables) await tx.deleteFrom(table).where('workflowId', '=', before.id).execute()
  const value = JSON.stringify(kept satisfies KeptWorkflow)
  await tx
    .insertInto('settings')
    .values({ key: prefixOf(environmentId) + identifier, value })
    .onConflict((conflict) => conflict.column('key').doUpdateSet({ value }))
    .execute()
}

/** Returns the workflows of an environment that were listed once and are not now, by their identifiers. */
export async function loadKept(tx: Session, environmentId: string): Promise<ReadonlyMap<string, KeptWorkflow>> {
  const rows = await tx
    .selectFrom('settings')
    .select('value')
    .where('key', 'like', `${prefixOf(environmentId)}%`)
    .execute()
  return new Map(
    rows.map(({ value }) => {
      const kept = JSON.parse(value) as KeptWorkflow
      return [kept.identifier, kept]
    }),
  )
}

/** Forgets a workflow that is back. */
export async function removeKept(tx: Session, { environmentId, identifier }: KeptWorkflow): Promise<void> {
  await tx
    .deleteFrom('settings')
    .where('key', '=', prefixOf(environmentId) + identifier)
    .execute()
}

/** Forgets what is kept for the workflows of an environment. */
export async function removeAllKept(tx: Session, environmentId: string): Promise<void> {
  await tx
    .deleteFrom('settings')
    .where('key', 'like', `${prefixOf(environmentId)}%`)
    .execute()
}
