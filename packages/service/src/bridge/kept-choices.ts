import type { WorkflowRow } from '../store/schema/workflow.ts'
import type { Session } from '../store/store.ts'

/** What was chosen for a workflow in the service, and not in its code. */
const tables = ['preferences', 'stepControls'] as const

type Named = Pick<WorkflowRow, 'id' | 'environmentId' | 'identifier'>

/** Row ids have no colon. */
const keptId = (identifier: string): string => `gone:${identifier}`

/**
 * Keeps what was chosen for a workflow that its bridge does not list any more: a deployment that lacks a workflow for a
 * moment must not take back that people do not want its messages.
 *
 * @param tx - The session of the transaction.
 * @param workflow - The workflow.
 */
export async function keepChoices(tx: Session, workflow: Named): Promise<void> {
  await removeKept(tx, workflow)
  for (const table of tables)
    await tx
      .updateTable(table)
      .set({ workflowId: keptId(workflow.identifier) })
      .where('workflowId', '=', workflow.id)
      .execute()
}

/**
 * Gives a workflow that is back what was chosen for it before.
 *
 * @param tx - The session of the transaction.
 * @param workflow - The workflow, as it is stored now.
 */
export async function takeUpChoices(tx: Session, { id, environmentId, identifier }: Named): Promise<void> {
  for (const table of tables)
    await tx
      .updateTable(table)
      .set({ workflowId: id })
      .where('environmentId', '=', environmentId)
      .where('workflowId', '=', keptId(identifier))
      .execute()
}

async function removeKept(tx: Session, { environmentId, identifier }: Named): Promise<void> {
  for (const table of tables)
    await tx
      .deleteFrom(table)
      .where('environmentId', '=', environmentId)
      .where('workflowId', '=', keptId(identifier))
      .execute()
}
