import { runPrepared } from '../../store/prepared.ts'
import type { WorkflowRow } from '../../store/schema/workflow.ts'
import type { Store } from '../../store/store.ts'

/** A workflow, as far as a trigger needs to know it. */
export interface TriggeredWorkflow extends Pick<WorkflowRow, 'id' | 'active'> {
  /** Whether a run of it has no steps, as the database says it. */
  readonly isEmpty: unknown
  /** JSON Schema of the payload, where triggers' payloads are checked. */
  readonly payloadSchema: string | null
}

/**
 * Returns the workflow of an environment by its identifier; `undefined` where there is none.
 *
 * @param environmentId - Row id of the environment.
 * @param identifier - The workflow's identifier.
 */
export type WorkflowLookUp = (environmentId: string, identifier: string) => Promise<TriggeredWorkflow | undefined>

/**
 * Creates a look-up that asks the database once for all who ask for one workflow at one time.
 *
 * @param store - The database.
 */
export function createWorkflowLookUp({ db }: Pick<Store, 'db'>): WorkflowLookUp {
  const pending = new Map<string, Promise<TriggeredWorkflow | undefined>>()

  async function query(environmentId: string, identifier: string): Promise<TriggeredWorkflow | undefined> {
    const { rows } = await runPrepared(db, {
      name: 'workflow of a trigger',
      values: ['[]', 0, 1, environmentId, identifier],
      build: () =>
        db
          .selectFrom('workflows')
          .select((row) => [
            'id',
            'active',
            row.and([row('steps', '=', '[]'), row('next', '=', 0)]).as('isEmpty'),
            row.case().when('validatePayload', '=', 1).then(row.ref('payloadSchema')).end().as('payloadSchema'),
          ])
          .where('environmentId', '=', environmentId)
          .where('identifier', '=', identifier),
    })
    return rows[0]
  }

  return async (environmentId, identifier) => {
    const key = `${environmentId} ${identifier}`
    const pendingLookUp = pending.get(key)
    // One that was asked before this trigger came may have missed a workflow that is stored by now.
    if (pendingLookUp) return (await pendingLookUp) ?? query(environmentId, identifier)
    const lookUp = query(environmentId, identifier).finally(() => pending.delete(key))
    pending.set(key, lookUp)
    return lookUp
  }
}
