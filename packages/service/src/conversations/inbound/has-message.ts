import type { Session } from '../../store/store.ts'

/** Returns whether a conversation has a message with an id of its platform. */
export async function hasMessage(
  tx: Session,
  {
    conversationId,
    platformMessageId,
  }: { readonly conversationId: string; readonly platformMessageId: string | undefined },
): Promise<boolean> {
  if (platformMessageId === undefined) return false
  const existingMessage = await tx
    .selectFrom('conversationMessages')
    .select('id')
    .where('conversationId', '=', conversationId)
    .where('platformMessageId', '=', platformMessageId)
    .executeTakeFirst()
  return existingMessage !== undefined
}
