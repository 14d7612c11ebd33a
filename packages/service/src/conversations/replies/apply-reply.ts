import type { AgentReplyResult, JsonObject } from '@trestle/protocol'
import { ApiError, invalid } from '../../api/api-error.ts'
import { createId } from '../../store/create-id.ts'
import type { ConversationMessageRow } from '../../store/schema/agent.ts'
import { addMessage, type MessageContent } from '../base/add-message.ts'
import type { HeldConversation } from '../base/change-conversation.ts'
import { conversationLimits as limits } from '../base/conversation-limits.ts'
import { type NewDelivery, queueDelivery } from '../base/queue-delivery.ts'
import { changeReaction, findMessage, type MessageLookUp } from '../base/stored-message.ts'
import { type Content, countFileBytes } from './content-schema.ts'
import { escapeQuestion } from './escape-question.ts'
import type { Reply } from './reply-schema.ts'

/**
 * Applies a reply.
 *
 * @returns The response to the agent.
 * @throws {ApiError} It cannot be applied: 409, 413 or 422.
 * @source protocol.md#replies
 */
export async function applyReply(held: HeldConversation, reply: Reply): Promise<AgentReplyResult> {
  if (reply.reply) return send(held, reply.reply)
  if (reply.question) return ask(held, reply.question)
  if (reply.edit) await edit(held, reply.edit)
  if (reply.deleteMessages) await remove(held, reply.deleteMessages)
  if (reply.addReactions) await react(held, reply.addReactions)
  if (reply.typing !== undefined) held.row.typingUntil = reply.typing ? held.nowMs + limits.typingMs : null
  if (reply.resolve) await resolve(held, reply.resolve)
  if (reply.metadata) setMetadata(held, reply.metadata)
  if (reply.error) await fail(held, reply.error)
  return {}
}

async function send(held: HeldConversation, content: Content): Promise<AgentReplyResult> {
  const row = await addMessage(held, { role: 'agent', ...toColumns(held, content, 0) })
  await tellPlatform(held, { event: 'post', messageId: row.id })
  return toResult(held, row.id)
}

async function ask(held: HeldConversation, question: NonNullable<Reply['question']>): Promise<AgentReplyResult> {
  const { tx, row: conversation, nowMs } = held
  const { questionId, id, type, value, by } = question
  const { text, options, labels } = escapeQuestion(question)
  const existingQuestion = await tx
    .selectFrom('conversationQuestions')
    .select('messageId')
    .where('conversationId', '=', conversation.id)
    .where('questionId', '=', questionId)
    .executeTakeFirst()
  if (existingQuestion) return toResult(held, existingQuestion.messageId)
  const { id: messageId } = await addMessage(held, { role: 'agent', text, questionId })
  await tx
    .insertInto('conversationQuestions')
    .values({
      ...{ id: createId(nowMs), environmentId: conversation.environmentId, conversationId: conversation.id },
      ...{ questionId, actionId: id, messageId, type, text, value: toJson(value) },
      ...{ options: toJson(options), labels: toJson(labels), by: toJson(by), answer: null },
      ...{ createdAt: nowMs, answeredAt: null },
    })
    .execute()
  await tellPlatform(held, { event: 'post', messageId })
  return toResult(held, messageId)
}

async function edit(held: HeldConversation, { messageId, ...content }: NonNullable<Reply['edit']>): Promise<void> {
  const message = await findOwn(held, messageId, { field: 'edit.messageId' })
  if (message.questionId !== null)
    throw new ApiError(409, 'A question cannot be edited, because users answer the text they have read. Ask a new one.')
  const before = countFileBytes(JSON.parse(message.files))
  const columns = { text: null, markdown: null, card: null, files: '[]', ...toColumns(held, content, before) }
  await held.tx
    .updateTable('conversationMessages')
    .set({ ...columns, editedAt: held.nowMs })
    .where('id', '=', message.id)
    .execute()
  held.row.lastActivityAt = held.nowMs
  await tellPlatform(held, { event: 'update', messageId: message.id })
}

async function remove(held: HeldConversation, messageIds: readonly string[]): Promise<void> {
  for (const [index, messageId] of [...new Set(messageIds)].entries()) {
    const message = await findOwn(held, messageId, { field: `deleteMessages.${index}`, alsoDeleted: true })
    if (message.deletedAt !== null) continue
    held.row.fileBytes -= countFileBytes(JSON.parse(message.files))
    await held.tx
      .updateTable('conversationMessages')
      .set({ text: null, markdown: null, card: null, files: '[]', deletedAt: held.nowMs })
      .where('id', '=', message.id)
      .execute()
    await tellPlatform(held, { event: 'delete', messageId: message.id })
  }
}

async function react(held: HeldConversation, reactions: NonNullable<Reply['addReactions']>): Promise<void> {
  for (const [index, { messageId, emoji }] of reactions.entries()) {
    const message = await findMessage(held, messageId, { field: `addReactions.${index}.messageId` })
    const isNew = await changeReaction(held, message, { reaction: { emoji, by: 'agent' }, added: true })
    if (isNew) await tellPlatform(held, { event: 'react', messageId: message.id, body: { emoji } })
  }
}

async function resolve(held: HeldConversation, { summary }: NonNullable<Reply['resolve']>): Promise<void> {
  const { row, nowMs } = held
  const wasOpen = row.status === 'open'
  Object.assign(row, { status: 'resolved', typingUntil: null, lastActivityAt: nowMs })
  if (summary !== undefined) row.summary = summary
  if (wasOpen) await queueDelivery(held, { target: 'bridge', event: 'onResolve' })
}

function setMetadata({ row }: HeldConversation, fields: JsonObject): void {
  const merged = new Map(Object.entries(JSON.parse(row.metadata) as JsonObject))
  for (const [name, value] of Object.entries(fields)) {
    if (value === null) merged.delete(name)
    else merged.set(name, value)
  }
  const metadata = JSON.stringify(Object.fromEntries(merged))
  if (metadata.length > limits.valueLength)
    throw invalid('metadata', `of the conversation would have more than ${limits.valueLength} characters as JSON`)
  row.metadata = metadata
}

async function fail(held: HeldConversation, { code, message }: NonNullable<Reply['error']>): Promise<void> {
  const row = await addMessage(held, { role: 'system', text: message, error: { code, message } })
  await tellPlatform(held, { event: 'post', messageId: row.id })
}

async function findOwn(
  held: HeldConversation,
  messageId: string,
  lookUp: MessageLookUp,
): Promise<ConversationMessageRow> {
  const message = await findMessage(held, messageId, lookUp)
  if (message.role !== 'agent') throw invalid(lookUp.field, 'must be a message of the agent')
  return message
}

function toColumns(
  held: HeldConversation,
  { text, markdown, card, files }: Content,
  freedBytes: number,
): MessageContent {
  held.row.fileBytes += countFileBytes(files) - freedBytes
  if (held.row.fileBytes > limits.fileBytes)
    throw new ApiError(
      413,
      `The files in a conversation may have at most ${limits.fileBytes} bytes in total. Send URLs instead.`,
    )
  return {
    ...(text === undefined ? {} : { text }),
    ...(markdown === undefined ? {} : { markdown }),
    ...(card === undefined ? {} : { card: JSON.stringify(card) }),
    ...(files === undefined ? {} : { files: JSON.stringify(files) }),
  }
}

function toResult({ row }: HeldConversation, messageId: string): AgentReplyResult {
  const { threadTs } = JSON.parse(row.platformContext) as { readonly threadTs?: string }
  return { messageId, ...(threadTs === undefined ? {} : { platformThreadId: threadTs }) }
}

async function tellPlatform(held: HeldConversation, act: Omit<NewDelivery, 'target'>): Promise<void> {
  if (held.row.platform !== 'web') await queueDelivery(held, { target: 'platform', ...act })
}

const toJson = (value: unknown): string | null => (value === undefined ? null : JSON.stringify(value))
