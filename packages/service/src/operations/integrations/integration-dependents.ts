import type { IntegrationRow } from '../../store/schema/delivery.ts'
import type { Session } from '../../store/store.ts'

const tables = ['channelConnections', 'channelEndpoints'] as const

/**
 * Deletes the connections and endpoints of a deleted integration. They refer to it by identifier only, so a later
 * integration with the same identifier would send to subscribers who never allowed it. Its conversations are kept for
 * reading.
 */
export async function removeDependents(
  tx: Session,
  { environmentId, identifier }: Pick<IntegrationRow, 'environmentId' | 'identifier'>,
): Promise<void> {
  for (const table of tables)
    await tx
      .deleteFrom(table)
      .where('environmentId', '=', environmentId)
      .where('integrationIdentifier', '=', identifier)
      .execute()
}

/**
 * Moves connections, endpoints and conversations of an integration to its new identifier. They refer to it by
 * identifier only.
 *
 * @param integration - The integration before the change.
 * @param to - The new identifier.
 */
export async function renameIntegration(
  tx: Session,
  { environmentId, identifier: from }: Pick<IntegrationRow, 'environmentId' | 'identifier'>,
  to: string,
): Promise<void> {
  if (from === to) return
  for (const table of tables)
    await tx
      .updateTable(table)
      .set({ integrationIdentifier: to })
      .where('environmentId', '=', environmentId)
      .where('integrationIdentifier', '=', from)
      .execute()
  await tx
    .updateTable('conversations')
    .set({ integrationIdentifier: to })
    .where('environmentId', '=', environmentId)
    .where('integrationIdentifier', '=', from)
    // Conversations on the studio page have no integration.
    .where('platform', '!=', 'web')
    // A deleted integration may have left a conversation for the same thread under this identifier.
    .where(({ not, exists, selectFrom }) =>
      not(
        exists(
          selectFrom('conversations as other')
            .select('other.id')
            .where('other.environmentId', '=', environmentId)
            .where('other.integrationIdentifier', '=', to)
            .whereRef('other.agentId', '=', 'conversations.agentId')
            .whereRef('other.threadKey', '=', 'conversations.threadKey'),
        ),
      ),
    )
    .execute()
}
