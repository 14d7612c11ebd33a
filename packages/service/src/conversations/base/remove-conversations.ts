import { conversationTables } from '../../store/schema/owned-rows.ts'
import type { Session } from '../../store/store.ts'

/** Selects conversations to remove. */
export interface OldConversations {
  /** Removes conversations without activity since this time, in milliseconds since 1970. */
  readonly before: number
  /** The maximum number to remove. */
  readonly batch: number
}

/**
 * Removes inactive conversations with all their data. Those with pending deliveries are kept.
 *
 * @param tx - The transaction.
 * @returns The number of removed conversations.
 */
export async function removeConversations(tx: Session, { before, batch }: OldConversations): Promise<number> {
  const rows = await tx
    .selectFrom('conversations')
    .select('id')
    .where('lastActivityAt', '<', before)
    .where(({ not, exists, selectFrom }) =>
      not(
        exists(
          selectFrom('conversationDeliveries as delivery')
            .select('delivery.id')
            .whereRef('delivery.conversationId', '=', 'conversations.id')
            .where('delivery.status', '=', 'pending'),
        ),
      ),
    )
    .limit(batch)
    .execute()
  const ids = rows.map(({ id }) => id)
  if (ids.length === 0) return 0
  for (const table of conversationTables) await tx.deleteFrom(table).where('conversationId', 'in', ids).execute()
  await tx.deleteFrom('conversations').where('id', 'in', ids).execute()
  return ids.length
}
