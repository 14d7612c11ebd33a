import type { JsonObject } from '@trestle/protocol'
import { notFound } from '../../api/api-error.ts'
import type { CallContext } from '../../context/service-context.ts'
import type { ConversationRow } from '../../store/schema/agent.ts'
import { toConversation, toDelivery, toMessage, toQuestion } from './conversation-view.ts'

/** The maximum number of messages, and of questions, shown. The last ones are kept. */
const shownMessages = 1_000
/** The maximum number of deliveries shown. The last ones are kept. */
const shownDeliveries = 200

/**
 * Finds a conversation of the environment.
 *
 * @param conversationId - Row id of the conversation.
 * @throws {ApiError} 404
 */
export async function findConversation(
  { store, environment }: CallContext,
  conversationId = '',
): Promise<ConversationRow> {
  const row = await store.db
    .selectFrom('conversations')
    .selectAll()
    .where('id', '=', conversationId)
    .where('environmentId', '=', environment.id)
    .executeTakeFirst()
  if (!row) throw notFound('Conversation', conversationId)
  return row
}

/** Returns a conversation with its last messages, questions and deliveries, each in order. */
export async function showConversation({ store, clock }: CallContext, row: ConversationRow): Promise<JsonObject> {
  const messages = await store.db
    .selectFrom('conversationMessages')
    .selectAll()
    .where('conversationId', '=', row.id)
    .orderBy('position', 'desc')
    .limit(shownMessages)
    .execute()
  const questions = await store.db
    .selectFrom('conversationQuestions')
    .selectAll()
    .where('conversationId', '=', row.id)
    .orderBy('id', 'desc')
    .limit(shownMessages)
    .execute()
  const deliveries = await store.db
    .selectFrom('conversationDeliveries')
    .selectAll()
    .where('conversationId', '=', row.id)
    .where('target', '=', 'bridge')
    .orderBy('position', 'desc')
    .limit(shownDeliveries)
    .execute()
  const typingUntil = row.typingUntil ?? 0
  const isTyping = typingUntil > clock.now()
  return {
    ...toConversation(row),
    metadata: JSON.parse(row.metadata),
    isTyping,
    ...(isTyping ? { typingUntil: new Date(typingUntil).toISOString() } : {}),
    messages: messages.reverse().map(toMessage),
    questions: questions.reverse().map(toQuestion),
    deliveries: deliveries.reverse().map(toDelivery),
  }
}
