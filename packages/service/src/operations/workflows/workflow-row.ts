import { invalid, notFound } from '../../api/api-error.ts'
import type { CallContext } from '../../context/service-context.ts'
import type { WorkflowRow } from '../../store/schema/workflow.ts'
import type { Session } from '../../store/store.ts'
import { removeTexts } from '../../translations/remove-texts.ts'

/**
 * Returns a workflow of the call's environment.
 *
 * @param id - Its identifier, its row id, or its slug, which ends in the row id.
 * @throws {ApiError} 404
 */
export async function findWorkflow(
  db: Session,
  { environment }: Pick<CallContext, 'environment'>,
  id: string,
): Promise<WorkflowRow> {
  const row = await lookUpWorkflow(db, environment.id, id)
  if (!row) throw notFound('Workflow', id)
  return row
}

/** Returns a workflow of an environment, or `undefined` if it does not exist. See {@link findWorkflow}. */
export async function lookUpWorkflow(db: Session, environmentId: string, id: string): Promise<WorkflowRow | undefined> {
  const slugId = /_([0-9a-f]{24})$/.exec(id)?.[1] ?? id
  const rows = await db
    .selectFrom('workflows')
    .selectAll()
    .where('environmentId', '=', environmentId)
    .where(({ or, eb }) => or([eb('identifier', '=', id), eb('id', 'in', [id, slugId])]))
    .execute()
  return rows.find(({ identifier }) => identifier === id) ?? rows[0]
}

/**
 * Rejects a new identifier.
 *
 * @throws {ApiError} 422
 */
export function checkIdentifier(
  { identifier }: Pick<WorkflowRow, 'identifier'>,
  field: 'identifier' | 'workflowId',
  given: string | undefined,
): void {
  if (given !== undefined && given !== identifier)
    throw invalid(field, 'cannot be changed: triggers, runs and translations refer to the workflow by it', given)
}

/** Deletes a workflow with its stored data, including translations. Its runs are kept. */
export async function removeWorkflow(
  tx: Session,
  { id, environmentId, identifier }: Pick<WorkflowRow, 'id' | 'environmentId' | 'identifier'>,
): Promise<void> {
  for (const table of [
    'stepControls',
    'stepControlVersions',
    'workflowWarnings',
    'workflowOverrides',
    'preferences',
  ] as const)
    await tx.deleteFrom(table).where('workflowId', '=', id).execute()
  await removeTexts(tx, { environmentId, resourceType: 'workflow', resourceId: identifier })
  await tx.deleteFrom('workflows').where('id', '=', id).execute()
}
