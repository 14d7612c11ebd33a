import type { CallContext } from '../../context/service-context.ts'
import type { WorkflowRow } from '../../store/schema/workflow.ts'
import type { Session } from '../../store/store.ts'
import { emptyWorkflow, storeWorkflow, type WorkflowChange } from './store-workflow.ts'
import { lookUpWorkflow } from './workflow-row.ts'

/**
 * Stores a new workflow under an identifier made of its name.
 *
 * @param context - The call.
 * @param name - Its name.
 * @param read - Reads, in the transaction, what else it is.
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
