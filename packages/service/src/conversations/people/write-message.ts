import type { JsonObject } from '@trestle/protocol'
import { compact } from '../../json/json.ts'
import type { ConversationMessageRow } from '../../store/schema/agent.ts'
import { addMessage } from '../base/add-message.ts'
import type { HeldConversation } from '../base/change-conversation.ts'
import { queueDelivery } from '../base/queue-delivery.ts'

/** Something that a person wrote. */
export interface WrittenMessage {
  /** Plain text. */
  readonly text: string
  /** Who wrote it, in the form of the agent protocol. */
  readonly author: JsonObject
  /** Files that came with it, in the form of the agent protocol. @default none */
  readonly attachments?: readonly JsonObject[]
  /** The platform's own id of the message. */
  readonly platformMessageId?: string
}

/**
 * Adds what a person wrote to a conversation, and tells the agent. A conversation that was resolved is open again.
 *
 * @param held - The conversation.
 * @param written - What was written.
 * @returns The message.
 * @throws {ApiError} 409 or 503 where there is no room.
 */
export async function writeMessage(held: HeldConversation, written: WrittenMessage): Promise<ConversationMessageRow> {
  const { text, author, attachments = [], platformMessageId } = written
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

/**
 * Opens a conversation again, because a person goes on with it.
 *
 * @param held - The conversation.
 */
export function reopen({ row, nowMs }: HeldConversation): void {
  row.status = 'open'
  row.lastActivityAt = nowMs
}
