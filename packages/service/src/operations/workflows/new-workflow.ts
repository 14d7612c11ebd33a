import type { CallContext } from '../../context/service-context.ts'
import type { WorkflowRow } from '../../store/schema/workflow.ts'
import type { Session } from '../../store/store.ts'
import { emptyWorkflow, storeWorkflow, type WorkflowChange } from './store-workflow.ts'
import { lookUpWorkflow } from './workflow-row.ts'

/**
 * Inserts a new workflow with an identifier derived from its name.
 *
 * @param read - Reads its other fields in the transaction.
 */
export function storeNewWorkflow(
  context: CallContext,
  name: string,
  read: (tx: Session) => Promise<WorkflowChange>,
): Promise<WorkflowRow> {
  return context.store.transaction(async (tx) => {
    const change = await read(tx)
    const base =
      name
        .toLowerCase()
        .replaceAll(/[^a-z0-9]+/g, '-')
        .replaceAll(/^-|-$/g, '') || 'workflow'
    let identifier = base
    for (let number = 2; await lookUpWorkflow(tx, context.environment.id, identifier); number++)
      identifier = `${base}-${number}`
    const row = emptyWorkflow(context, name, identifier)
    return storeWorkflow(tx, row, { change, nowMs: context.clock.now(), isNew: true })
  })
}
