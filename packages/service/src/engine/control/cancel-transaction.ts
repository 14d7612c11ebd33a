import type { EnginePorts } from '../port/engine-ports.ts'
import { type CanceledBy, cancelRun } from './cancel-run.ts'

/** A transaction of an environment. */
export interface NamedTransaction {
  /** Row id of the environment. */
  readonly environmentId: string
  /** The transaction's id. */
  readonly transactionId: string
  /** Who cancels it. @default 'api' */
  readonly by?: CanceledBy
}

/**
 * Cancels the unfinished work of a transaction: triggers that wait, steps that wait or have not begun, and events in
 * digests that are still open. What runs, goes on; what is over, stays.
 *
 * @param ports - What the engine acts through.
 * @param named - The transaction.
 * @returns Whether something was canceled.
 * @source service-api.md#cancel
 */
export async function cancelTransaction(ports: EnginePorts, named: NamedTransaction): Promise<boolean> {
  const { store, clock } = ports
  const { environmentId, transactionId, by = 'api' } = named
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
  for (const { id } of runs) if (await cancelRun(ports, id, by)) canceled = true
  return canceled
}
