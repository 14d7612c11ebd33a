import { sql } from 'kysely'
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
 * Moves connections, endpoints, conversations and subscriber addresses of an integration to its new identifier. A later
 * integration with the old one must not send to them.
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
  await renameInSubscribers(tx, { environmentId, from, to })
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

/**
 * Renames an integration in the addresses of all subscribers. They are stored as compact JSON, whose strings escape
 * quotes, so that the search matches fields only.
 */
async function renameInSubscribers(
  tx: Session,
  { environmentId, from, to }: { readonly environmentId: string; readonly from: string; readonly to: string },
): Promise<void> {
  const [before, after] = [from, to].map((identifier) => `"integrationIdentifier":${JSON.stringify(identifier)}`)
  await tx
    .updateTable('subscribers')
    .set({ channels: sql<string>`replace(${sql.ref('channels')}, ${before}, ${after})` })
    .where('environmentId', '=', environmentId)
    .where('channels', 'like', `%${before}%`)
    .execute()
}
