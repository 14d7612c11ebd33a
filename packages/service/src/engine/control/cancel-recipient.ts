import type { EnginePorts } from '../port/engine-ports.ts'
import { cancelRun } from './cancel-run.ts'

export interface NamedRecipient {
  /** Row id of the environment. */
  readonly environmentId: string
  /** Row id of the subscriber. */
  readonly subscriberRowId: string
}

/** Cancels the unfinished work of all runs for a subscriber. Running and finished steps do not change. */
export async function cancelRecipient(ports: EnginePorts, named: NamedRecipient): Promise<void> {
  const runs = await ports.store.db
    .selectFrom('runs')
    .select('id')
    .where('environmentId', '=', named.environmentId)
    .where('subscriberId', '=', named.subscriberRowId)
    .where('status', 'in', ['running', 'merged'])
    .orderBy('id')
    .execute()
  for (const { id } of runs) await cancelRun(ports, id, { by: 'subscriber' })
}
