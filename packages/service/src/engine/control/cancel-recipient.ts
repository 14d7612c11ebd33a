import type { EnginePorts } from '../port/engine-ports.ts'
import { cancelRun } from './cancel-run.ts'

/** A recipient of an environment. */
export interface NamedRecipient {
  /** Row id of the environment. */
  readonly environmentId: string
  /** Row id of the subscriber. */
  readonly subscriberRowId: string
}

/**
 * Cancels what the runs for a subscriber have not done yet. Running and finished steps stay as they are.
 *
 * @param ports - What the engine acts through.
 * @param named - The subscriber.
 */
export async function cancelRecipient(ports: EnginePorts, named: NamedRecipient): Promise<void> {
  const runs = await ports.store.db
    .selectFrom('runs')
    .select('id')
    .where('environmentId', '=', named.environmentId)
    .where('subscriberId', '=', named.subscriberRowId)
    .where('status', 'in', ['running', 'merged'])
    .orderBy('id')
    .execute()
  for (const { id } of runs) await cancelRun(ports, id, 'subscriber')
}
