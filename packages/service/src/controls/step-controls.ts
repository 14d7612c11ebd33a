import type { JsonObject } from '@trestle/protocol'
import { createId } from '../store/create-id.ts'
import type { WorkflowRow } from '../store/schema/workflow.ts'
import type { Session } from '../store/store.ts'

/** The maximum number of earlier values kept per step. */
const maxVersions = 50

/** Control values to save. */
export interface StepControls {
  readonly stepId: string
  readonly controls: JsonObject
  readonly nowMs: number
  /** Who saves them. @default the API */
  readonly by?: string | undefined
}

/** Saves the control values of one step, and keeps them in its history if they differ from the current ones. */
export async function storeStepControls(
  tx: Session,
  { id, environmentId }: Pick<WorkflowRow, 'id' | 'environmentId'>,
  { stepId, controls, nowMs, by }: StepControls,
): Promise<void> {
  const values = { controls: JSON.stringify(controls), updatedAt: nowMs }
  const step = tx
    .selectFrom('stepControls')
    .select('controls')
    .where('workflowId', '=', id)
    .where('stepId', '=', stepId)
  const before = await step.executeTakeFirst()
  await tx
    .insertInto('stepControls')
    .values({ workflowId: id, stepId, environmentId, ...values })
    .onConflict((conflict) => conflict.columns(['workflowId', 'stepId']).doUpdateSet(values))
    .execute()
  if (before?.controls === values.controls) return
  const version = { id: createId(nowMs), environmentId, workflowId: id, stepId, by: by ?? null, createdAt: nowMs }
  await tx
    .insertInto('stepControlVersions')
    .values({ ...version, controls: values.controls })
    .execute()
  await removeOldest(tx, id, stepId)
}

async function removeOldest(tx: Session, workflowId: string, stepId: string): Promise<void> {
  const versions = tx
    .selectFrom('stepControlVersions')
    .select('id')
    .where('workflowId', '=', workflowId)
    .where('stepId', '=', stepId)
  const oldest = await versions.orderBy('id', 'desc').offset(maxVersions).limit(maxVersions).execute()
  const ids = oldest.map(({ id }) => id)
  if (ids.length > 0) await tx.deleteFrom('stepControlVersions').where('id', 'in', ids).execute()
}
