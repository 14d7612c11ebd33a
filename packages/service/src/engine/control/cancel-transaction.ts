import type { EnginePorts } from '../port/engine-ports.ts'
import { type CanceledBy, cancelRun } from './cancel-run.ts'

export interface NamedTransaction {
  /** Row id of the environment. */
  readonly environmentId: string
  readonly transactionId: string
  /** The origin of the cancellation. @default 'api' */
  readonly by?: CanceledBy
  /** The person or key that cancels, for the history. */
  readonly who?: string | undefined
}

/**
 * Cancels the unfinished work of a transaction: pending triggers, steps that wait or have not started, and events in
 * open digests. Running and finished steps do not change.
 *
 * @returns Whether something was canceled.
 * @source service-api.md#cancel
 */
export async function cancelTransaction(ports: EnginePorts, named: NamedTransaction): Promise<boolean> {
  const { store, clock } = ports
  const { environmentId, transactionId, by = 'api', who } = named
  const stopped = await store.db
    .updateTable('triggers')
    .set({ status: 'canceled', updatedAt: clock.now() })
    .where('environmentId', '=', environmentId)
    .where('transactionId', '=', transactionId)
    .where('status', 'in', ['accepted', 'processing'])
    .executeTakeFirst()
  const runs = await store.db
    .selectFrom('runs')
    .select('id')
    .where('environmentId', '=', environmentId)
    .where('transactionId', '=', transactionId)
    .where('status', 'in', ['running', 'merged'])
    .orderBy('id')
    .execute()
  let canceled = Number(stopped.numUpdatedRows) > 0
  for (const { id } of runs) if (await cancelRun(ports, id, { by, who })) canceled = true
  return canceled
}
