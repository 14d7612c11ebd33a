import type { IntegrationRow } from '../../store/schema/delivery.ts'
import type { Session } from '../../store/store.ts'

const tables = ['channelConnections', 'channelEndpoints'] as const

/**
 * Removes the connections and endpoints of an integration that is deleted: they know it by its identifier alone, and the
 * next integration with that one would send to people who never allowed it to. Its conversations stay, to be read.
 *
 * @param tx - The transaction.
 * @param integration - The integration.
 */
export async function removeBelongings(
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
 * Lets connections, endpoints and conversations follow an integration to its new identifier: they know it by that alone,
 * and nobody would be reached through them any more.
 *
 * @param tx - The transaction.
 * @param integration - The integration as it was.
 * @param to - Its new identifier.
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
    // Those of the studio's page have no integration.
    .where('platform', '!=', 'web')
    // An integration that is gone may have left the same thread under this identifier.
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
