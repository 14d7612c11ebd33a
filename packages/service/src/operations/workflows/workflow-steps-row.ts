import { notFound } from '../../api/api-error.ts'
import type { CallContext } from '../../context/service-context.ts'
import type { StoredStep, WorkflowRow } from '../../store/schema/workflow.ts'
import type { Session } from '../../store/store.ts'
import { findWorkflow } from './workflow-row.ts'
import { stepsOf } from './workflow-view.ts'

/** A step with its workflow. */
export interface FoundStep {
  readonly workflow: WorkflowRow
  readonly step: StoredStep
}

/**
 * Returns a step of a workflow of the call's environment.
 *
 * @param params - `workflowId` and `stepId`: identifiers, row ids or slugs.
 * @throws {ApiError} 404
 */
export async function findStep(
  db: Session,
  context: Pick<CallContext, 'environment'>,
  params: Readonly<Record<string, string>>,
): Promise<FoundStep> {
  const workflow = await findWorkflow(db, context, String(params['workflowId']))
  const wanted = String(params['stepId'])
  const step = stepsOf(workflow).find(
    ({ id, stepId }) => stepId === wanted || id === wanted || wanted.endsWith(`_st_${id}`),
  )
  if (!step) throw notFound('Step', wanted)
  return { workflow, step }
}
