import { createQueryKey, runPrepared } from '../../store/prepared.ts'
import type { WorkflowRow } from '../../store/schema/workflow.ts'
import type { Store } from '../../store/store.ts'

const workflowOfTriggerQuery = createQueryKey('workflow of a trigger')

/** The properties of a workflow that a trigger needs. */
export interface TriggeredWorkflow extends Pick<WorkflowRow, 'id' | 'active'> {
  /** Whether its runs have no steps, as the database returns it. */
  readonly isEmpty: unknown
  /** The JSON Schema of the payload; `null` if payloads are not checked. */
  readonly payloadSchema: string | null
}

/** Returns a workflow by its identifier; `undefined` if the environment does not have it. */
export type WorkflowLookUp = (environmentId: string, identifier: string) => Promise<TriggeredWorkflow | undefined>

/** Creates a look-up in which concurrent requests for the same workflow share one query. */
export function createWorkflowLookUp({ db }: Pick<Store, 'db'>): WorkflowLookUp {
  const pending = new Map<string, Promise<TriggeredWorkflow | undefined>>()

  async function query(environmentId: string, identifier: string): Promise<TriggeredWorkflow | undefined> {
    const { rows } = await runPrepared(db, {
      key: workflowOfTriggerQuery,
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
    // The shared query may have started before the workflow was stored.
    if (pendingLookUp) return (await pendingLookUp) ?? query(environmentId, identifier)
    const lookUp = query(environmentId, identifier).finally(() => pending.delete(key))
    pending.set(key, lookUp)
    return lookUp
  }
}
