import { inTurns } from '../base/in-turns.ts'
import type { EnginePorts } from '../port/engine-ports.ts'
import { cancelRun, hasCancelable } from './cancel-run.ts'

export interface NamedRecipient {
  /** Row id of the environment. */
  readonly environmentId: string
  /** Row id of the subscriber. */
  readonly subscriberRowId: string
}

/** Cancels the work of all runs for a deleted subscriber, except messages that are being sent. */
export async function cancelRecipient(ports: EnginePorts, named: NamedRecipient): Promise<void> {
  const runs = await ports.store.db
    .selectFrom('runs')
    .select('id')
    .where('environmentId', '=', named.environmentId)
    .where('subscriberId', '=', named.subscriberRowId)
    .where(hasCancelable('subscriber'))
    .orderBy('id')
    .execute()
  await inTurns(runs, ({ id }) => cancelRun(ports, id, { by: 'subscriber' }))
}
