import { ApiError, invalid } from '../../api/api-error.ts'
import type { ConversationMessageRow } from '../../store/schema/agent.ts'
import type { HeldConversation } from './change-conversation.ts'
import { conversationLimits } from './conversation-limits.ts'

/** A reaction to a message. */
export interface StoredReaction {
  /** The name of the emoji, or the emoji itself. */
  readonly emoji: string
  readonly by: 'user' | 'agent'
  /** The platform's user id. */
  readonly userId?: string
}

/** Options of a message lookup. */
export interface MessageLookUp {
  /** The field that names the message, for the error. */
  readonly field: string
  /** Whether to include deleted messages. @default false */
  readonly alsoDeleted?: boolean
}

/**
 * Finds a message of a conversation.
 *
 * @param messageId - Row id of the message.
 * @param lookUp - Options.
 * @throws {ApiError} 422 if the conversation does not have the message, 409 if it was deleted.
 */
export async function findMessage(
  { tx, row }: Pick<HeldConversation, 'tx' | 'row'>,
  messageId: string,
  { field, alsoDeleted = false }: MessageLookUp,
): Promise<ConversationMessageRow> {
  const message = await tx
    .selectFrom('conversationMessages')
    .selectAll()
    .where('id', '=', messageId)
    .where('conversationId', '=', row.id)
    .executeTakeFirst()
  if (!message) throw invalid(field, 'is not a message of this conversation')
  if (message.deletedAt !== null && !alsoDeleted) throw new ApiError(409, `${field}: the message was deleted.`)
  return message
}

/**
 * Adds or removes a reaction.
 *
 * @param change - The reaction, and whether to add it.
 * @returns Whether this changed anything.
 * @throws {ApiError} 409 if the message has the maximum number of reactions.
 */
export async function changeReaction(
  { tx }: Pick<HeldConversation, 'tx'>,
  message: ConversationMessageRow,
  { reaction, added }: { readonly reaction: StoredReaction; readonly added: boolean },
): Promise<boolean> {
  const before = JSON.parse(message.reactions) as readonly StoredReaction[]
  const isSame = (other: StoredReaction): boolean =>
    other.emoji === reaction.emoji && other.by === reaction.by && other.userId === reaction.userId
  if (before.some(isSame) === added) return false
  if (added && before.length >= conversationLimits.reactions)
    throw new ApiError(409, `The message has ${conversationLimits.reactions} reactions, which is the maximum.`)
  const reactions = JSON.stringify(added ? [...before, reaction] : before.filter((other) => !isSame(other)))
  await tx.updateTable('conversationMessages').set({ reactions }).where('id', '=', message.id).execute()
  return true
}
