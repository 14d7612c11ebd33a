import type { JsonObject } from '@trestle/protocol'
import { compact } from '../../json/json.ts'
import type { ConversationMessageRow } from '../../store/schema/agent.ts'
import { addMessage, checkMessageCount } from '../base/add-message.ts'
import type { HeldConversation } from '../base/change-conversation.ts'
import { countRoom, queueDelivery } from '../base/queue-delivery.ts'

/** A message from a user. */
export interface UserMessage {
  readonly text: string
  /** The user, in the format of the agent protocol. */
  readonly author: JsonObject
  /** Attached files, in the format of the agent protocol. @default none */
  readonly attachments?: readonly JsonObject[]
  /** The message id on the platform. */
  readonly platformMessageId?: string
}

/**
 * Adds a user's message to a conversation, and reports it to the agent. Reopens a resolved conversation.
 *
 * @returns The message.
 * @throws {ApiError} 409 or 503 if a limit is reached.
 */
export async function writeMessage(held: HeldConversation, input: UserMessage): Promise<ConversationMessageRow> {
  const { text, author, attachments = [], platformMessageId } = input
  // Before anything is stored, because the transaction of a mail is committed although the message is rejected.
  checkMessageCount(held.row)
  await countRoom(held, 'bridge')
  reopen(held)
  const files = attachments.map(({ name, mimeType, url }) => compact({ name: name ?? 'file', mimeType, url }))
  const row = await addMessage(held, {
    ...{ role: 'user', text, author, files: JSON.stringify(files) },
    ...(platformMessageId === undefined ? {} : { platformMessageId }),
  })
  const timestamp = new Date(held.nowMs).toISOString()
  const message = { text, platformMessageId: row.id, author, timestamp, attachments }
  await queueDelivery(held, { target: 'bridge', event: 'onMessage', messageId: row.id, body: { message } })
  return row
}

/** Reopens a conversation, because a user continues it. */
export function reopen({ row, nowMs }: HeldConversation): void {
  row.status = 'open'
  row.lastActivityAt = nowMs
}
