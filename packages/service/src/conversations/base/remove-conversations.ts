import type { Session } from '../../store/store.ts'

/** Every table whose rows belong to a conversation. */
const owned = [
  'conversationMessages',
  'conversationQuestions',
  'conversationDeliveries',
  'conversationReplies',
] as const

/** Which conversations are removed. */
export interface OldConversations {
  /** Those in which nothing has happened since this time, milliseconds since 1970. */
  readonly before: number
  /** The most of them. */
  readonly batch: number
}

/**
 * Removes conversations in which nothing has happened for long, with all that belongs to them. Those from which something
 * still waits to be delivered stay.
 *
 * @param tx - The session of the transaction.
 * @param old - Which ones.
 * @returns How many there were.
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
  for (const table of owned) await tx.deleteFrom(table).where('conversationId', 'in', ids).execute()
  await tx.deleteFrom('conversations').where('id', 'in', ids).execute()
  return ids.length
}
