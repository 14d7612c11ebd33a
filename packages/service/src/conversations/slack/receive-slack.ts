import type { JsonObject } from '@trestle/protocol'
import { ApiError } from '../../api/api-error.ts'
import { shorten } from '../../channels/base/shorten.ts'
import { fromSlackText } from '../../channels/chat/slack-text.ts'
import type { Session } from '../../store/store.ts'
import { changeHeld, type HeldConversation, lockConversation } from '../base/change-conversation.ts'
import type { ConversationPorts } from '../base/conversation-ports.ts'
import { hasMessage } from '../inbound/has-message.ts'
import { writeMessage } from '../inbound/write-message.ts'
import { findConversation, type ReceivedCall } from './find-conversation.ts'
import type { SlackWritten } from './read-slack-call.ts'
import { changeReactionOf, handleClick } from './slack-actions.ts'

/**
 * Handles a call from Slack once, however often it is sent. A message continues the conversation of its thread, or
 * starts one if it addresses the bot. Everything else is ignored.
 *
 * @param ports - Dependencies of conversations.
 * @throws {ApiError} 409 or 503 if a limit is reached; 503 for a reaction to a message that may still be on its way to
 * Slack.
 */
export async function receiveSlack(ports: ConversationPorts, received: ReceivedCall): Promise<void> {
  const { store, clock, queue, feed } = ports
  await store.transaction(async (tx) => {
    const nowMs = clock.now()
    const conversation = await findConversation(tx, received, nowMs)
    if (!conversation) return
    const { environmentId, id: conversationId } = conversation
    const row = await lockConversation(tx, { environmentId, conversationId })
    if (!row || !(await isNew(tx, received, nowMs))) return
    await changeHeld({ tx, row, nowMs, queue }, (held) => take(held, received))
  })
  feed.notify()
}

async function isNew(tx: Session, { integration, call }: ReceivedCall, nowMs: number): Promise<boolean> {
  const { id: integrationId, environmentId } = integration
  const { numInsertedOrUpdatedRows = 0n } = await tx
    .insertInto('platformEvents')
    .values({ integrationId, key: call.key, environmentId, createdAt: nowMs })
    .onConflict((conflict) => conflict.doNothing())
    .executeTakeFirstOrThrow()
  return numInsertedOrUpdatedRows > 0n
}

async function take(held: HeldConversation, { call }: ReceivedCall): Promise<void> {
  if (call.kind === 'message') return write(held, call)
  try {
    await (call.kind === 'reaction' ? changeReactionOf(held, call) : handleClick(held, call))
  } catch (error) {
    // For example, a button was clicked twice. After an error, Slack would only resend the call.
    if (!(error instanceof ApiError) || error.status === 503) throw error
  }
}

/** A mention of the bot arrives as a message and as a mention. */
async function write(held: HeldConversation, { ts, userId, text, files, botUserIds }: SlackWritten): Promise<void> {
  const { tx, row } = held
  if (await hasMessage(tx, { conversationId: row.id, platformMessageId: ts })) return
  await writeMessage(held, {
    text: fromSlackText(text, botUserIds),
    author: { userId },
    attachments: files.map(toAttachment),
    platformMessageId: ts,
  })
}

/** A truncated name is still useful; a truncated URL leads elsewhere. */
function toAttachment({ name, mimetype, size, url_private: url }: JsonObject): JsonObject {
  return {
    ...(typeof name === 'string' && { name: shorten(name, 255) }),
    ...(typeof mimetype === 'string' && mimetype.length <= 255 && { mimeType: mimetype }),
    ...(typeof size === 'number' && { size }),
    ...(typeof url === 'string' && url.length <= 2048 && { url }),
  }
}
