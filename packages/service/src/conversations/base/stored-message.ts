import { ApiError, invalid } from '../../api/api-error.ts'
import type { ConversationMessageRow } from '../../store/schema/agent.ts'
import type { HeldConversation } from './change-conversation.ts'
import { conversationLimits } from './conversation-limits.ts'

/** A reaction to a message. */
export interface StoredReaction {
  /** The name of the emoji, or the emoji itself. */
  readonly emoji: string
  /** Who reacted. */
  readonly by: 'user' | 'agent'
  /** The platform's id of the person. */
  readonly userId?: string
}

/** How a message is looked for. */
export interface MessageLookUp {
  /** The field that names it, for the error. */
  readonly field: string
  /** Whether one that was deleted is found, too. @default false */
  readonly alsoDeleted?: boolean
}

/**
 * Finds a message of a conversation.
 *
 * @param held - The conversation.
 * @param messageId - Row id of the message.
 * @param lookUp - How it is looked for.
 * @throws {ApiError} 422 when the conversation has none of this id, 409 when it was deleted.
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
 * Adds a reaction to a message, or takes it back.
 *
 * @param held - The conversation.
 * @param message - The message.
 * @param change - The reaction, and whether it is there from now on.
 * @returns Whether that changes anything.
 * @throws {ApiError} 409 when the message has as many as it may.
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
    throw new ApiError(409, `The message has ${conversationLimits.reactions} reactions, which is the most.`)
  const reactions = JSON.stringify(added ? [...before, reaction] : before.filter((other) => !isSame(other)))
  await tx.updateTable('conversationMessages').set({ reactions }).where('id', '=', message.id).execute()
  return true
}
