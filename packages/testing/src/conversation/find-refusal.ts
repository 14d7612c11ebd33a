import type { AgentReply } from '@trestle/protocol'
import { type ConversationState, mergeMetadata, toQuestionMessageId } from './conversation-state.ts'

// Maximum length of a conversation's metadata as JSON, in characters.
const maxMetadata = 64 * 1024

/** A reply that the service would reject. */
export interface Refusal {
  readonly status: number
  /** The body of the service's response. */
  readonly body: { readonly message: string; readonly errors?: object }
}

/** A message that a reply names. */
interface Named {
  readonly messageId: string
  readonly field: string
  /** Whether it must be one of the agent's messages. */
  readonly isOwn?: boolean
  /** Whether a deleted message is allowed. */
  readonly alsoDeleted?: boolean
  /** Whether a question is rejected. */
  readonly noQuestion?: boolean
}

/**
 * Returns why the service would reject a reply: it edits, deletes or reacts to a missing message, edits a question, or
 * stores too much data.
 *
 * @returns `undefined` for a valid reply.
 */
export function findRefusal(state: ConversationState, reply: AgentReply): Refusal | undefined {
  for (const named of toNamed(reply)) {
    const refusal = judge(state, named)
    if (refusal) return refusal
  }
  if (!('metadata' in reply) || JSON.stringify(mergeMetadata(state, reply.metadata)).length <= maxMetadata)
    return undefined
  return invalid('metadata', `of the conversation would have more than ${maxMetadata} characters as JSON`)
}

function toNamed(reply: AgentReply): readonly Named[] {
  if ('edit' in reply)
    return [{ messageId: reply.edit.messageId, field: 'edit.messageId', isOwn: true, noQuestion: true }]
  if ('deleteMessages' in reply)
    return reply.deleteMessages.map((messageId, index) => ({
      ...{ messageId, field: `deleteMessages.${index}`, isOwn: true, alsoDeleted: true },
    }))
  if (!('addReactions' in reply)) return []
  return reply.addReactions.map(({ messageId }, index) => ({ messageId, field: `addReactions.${index}.messageId` }))
}

function judge(state: ConversationState, named: Named): Refusal | undefined {
  const { messageId, field, isOwn, alsoDeleted, noQuestion } = named
  const said = state.said.find((one) => one.messageId === messageId)
  const message = said ?? state.messages.find((one) => one.messageId === messageId)
  if (!message) return invalid(field, 'is not a message of this conversation')
  if (message.deleted && !alsoDeleted) return { status: 409, body: { message: `${field}: the message was deleted.` } }
  const isQuestion = state.asked.some((_, index) => toQuestionMessageId(index) === messageId)
  if (isOwn && !said && !isQuestion) return invalid(field, 'must be a message of the agent')
  if (!noQuestion || !isQuestion) return undefined
  const reason = 'A question cannot be edited, because users answer the text they have read. Ask a new one.'
  return { status: 409, body: { message: reason } }
}

function invalid(field: string, message: string): Refusal {
  return { status: 422, body: { message: `${field}: ${message}`, errors: { [field]: { messages: [message] } } } }
}
