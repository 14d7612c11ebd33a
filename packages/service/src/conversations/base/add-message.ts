import type { JsonObject } from '@trestle/protocol'
import { ApiError } from '../../api/api-error.ts'
import { createId } from '../../store/create-id.ts'
import type { ConversationMessageRow, ConversationRow } from '../../store/schema/agent.ts'
import type { HeldConversation } from './change-conversation.ts'
import { conversationLimits } from './conversation-limits.ts'
import { toMessageText } from './message-text.ts'

/** The content of a message, as columns. */
export type MessageContent = Partial<Pick<ConversationMessageRow, 'text' | 'markdown' | 'card' | 'files'>>

/** A new message in a conversation. */
export interface NewMessage extends MessageContent {
  readonly role: ConversationMessageRow['role']
  /** The author, in the format of the agent protocol. */
  readonly author?: JsonObject | undefined
  /** The question it asks or answers. */
  readonly questionId?: string
  /** The failure, in a message from the service itself. */
  readonly error?: { readonly code: string; readonly message: string }
  /** The message id on the platform. */
  readonly platformMessageId?: string | null
}

const titleLength = 80

/**
 * Adds a message to a conversation.
 *
 * @returns The row.
 * @throws {ApiError} 409 if the conversation has the maximum number of messages.
 */
export async function addMessage(held: HeldConversation, message: NewMessage): Promise<ConversationMessageRow> {
  const { tx, row: conversation, nowMs } = held
  const { role, author, questionId, error, platformMessageId, ...content } = message
  checkMessageCount(conversation)
  conversation.messageCount++
  conversation.lastPosition++
  conversation.lastActivityAt = nowMs
  if (role !== 'user') conversation.typingUntil = null
  const row: ConversationMessageRow = {
    ...{ id: createId(nowMs), environmentId: conversation.environmentId, conversationId: conversation.id },
    ...{ position: conversation.lastPosition, role, author: author ? JSON.stringify(author) : null },
    ...{ text: null, markdown: null, card: null, files: '[]', ...content, reactions: '[]' },
    ...{ questionId: questionId ?? null, error: error ? JSON.stringify(error) : null },
    ...{ platformMessageId: platformMessageId ?? null, createdAt: nowMs, editedAt: null, deletedAt: null },
  }
  if (conversation.title === '') conversation.title = toTitle(toMessageText(row))
  await tx.insertInto('conversationMessages').values(row).execute()
  return row
}

/**
 * Checks that a conversation can have another message.
 *
 * @throws {ApiError} 409 if it has the maximum number of messages.
 */
export function checkMessageCount({ messageCount }: Pick<ConversationRow, 'messageCount'>): void {
  const { messages } = conversationLimits
  if (messageCount < messages) return
  throw new ApiError(409, `The conversation has ${messages} messages, which is the maximum. Start a new one.`)
}

function toTitle(text: string): string {
  const line = text.trim().replaceAll(/\s+/g, ' ')
  if (line.length <= titleLength) return line
  // Avoids an unpaired surrogate, which no database stores.
  const cut = [...line].slice(0, titleLength).join('')
  return `${cut.replace(/\s+\S*$/, '')}…`
}
