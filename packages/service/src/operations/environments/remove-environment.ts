import { removeSyncStatus } from '../../bridge/sync-status.ts'
import { removeAllKept } from '../../bridge/workflows/kept-choices.ts'
import type { Tables } from '../../store/schema/tables.ts'
import type { Session } from '../../store/store.ts'

/** All tables whose rows belong to an environment. */
const owned = [
  'apiKeys',
  'subscribers',
  'preferences',
  'topics',
  'topicSubscriptions',
  'workflows',
  'stepControls',
  'stepControlVersions',
  'workflowWarnings',
  'workflowGroups',
  'tenants',
  'workflowOverrides',
  'triggers',
  'runs',
  'jobs',
  'executionDetails',
  'emittedEvents',
  'cancelWatches',
  'bridgeCalls',
  'digests',
  'throttles',
  'messages',
  'outbox',
  'deliveryReports',
  'inboxPositions',
  'inboxChanges',
  'feeds',
  'integrations',
  'layouts',
  'translations',
  'variableValues',
  'contexts',
  'channelConnections',
  'channelEndpoints',
  'rateBuckets',
  'agents',
  'conversations',
  'conversationMessages',
  'conversationQuestions',
  'conversationDeliveries',
  'conversationReplies',
  'platformEvents',
  'domains',
  'domainRoutes',
  'inboundMails',
  'accountRoles',
  'webhookEndpoints',
  'webhookDeliveries',
] as const satisfies readonly (keyof Tables)[]

/** Tables whose rows are deleted with their environment. */
export const environmentTables: readonly (keyof Tables)[] = owned

/** Deletes an environment with all its data. */
export async function removeEnvironment(tx: Session, environmentId: string): Promise<void> {
  for (const table of owned)
    await tx
      .deleteFrom(table as 'subscribers')
      .where('environmentId', '=', environmentId)
      .execute()
  await removeSyncStatus(tx, environmentId)
  await removeAllKept(tx, environmentId)
  await tx.deleteFrom('environments').where('id', '=', environmentId).execute()
}
