import { queueRemoval, removedTables } from '../../background/remove-rows.ts'
import { removeSyncStatus } from '../../bridge/sync-status.ts'
import { removeAllKept } from '../../bridge/workflows/kept-choices.ts'
import type { Queue } from '../../queue/queue.ts'
import type { Tables } from '../../store/schema/tables.ts'
import type { Session } from '../../store/store.ts'

/** The tables by which requests, email and events reach an environment. They have few rows. */
const entrances = [
  'apiKeys',
  'accountRoles',
  'integrations',
  'domains',
  'domainRoutes',
  'webhookEndpoints',
] as const satisfies readonly (keyof Tables)[]

/** Tables whose rows belong to an environment. Those of `platformEvents` expire within a day. */
export const environmentTables: readonly (keyof Tables)[] = [...entrances, ...removedTables, 'platformEvents']

/**
 * Deletes an environment. It can no longer be used or seen, and its name is free; the rest of its rows is removed in the
 * background, because there may be millions.
 */
export async function removeEnvironment(tx: Session, queue: Pick<Queue, 'add'>, environmentId: string): Promise<void> {
  for (const table of entrances) await tx.deleteFrom(table).where('environmentId', '=', environmentId).execute()
  await removeSyncStatus(tx, environmentId)
  await removeAllKept(tx, environmentId)
  await tx.deleteFrom('environments').where('id', '=', environmentId).execute()
  await queueRemoval(tx, queue, environmentId)
}
