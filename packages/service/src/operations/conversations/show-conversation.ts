import type { JsonObject } from '@trestle/protocol'
import { type RawBuilder, sql } from 'kysely'
import { notFound } from '../../api/api-error.ts'
import type { CallContext } from '../../context/service-context.ts'
import type { ConversationMessageRow, ConversationQuestionRow, ConversationRow } from '../../store/schema/agent.ts'
import type { Store } from '../../store/store.ts'
import { toConversation, toDelivery, toMessage, toQuestion } from './conversation-view.ts'

/** The maximum number of messages shown, with their questions. The last ones are kept. */
const shownMessages = 1_000
/** The maximum size of the shown messages, in bytes. The last ones are kept. */
const shownBytes = 16 * 1024 * 1024
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

/** Returns a conversation with its last messages, their questions, and its last deliveries, each in order. */
export async function showConversation({ store, clock }: CallContext, row: ConversationRow): Promise<JsonObject> {
  const { messages, questions } = await readShown(store, row.id)
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

interface Shown {
  /** Newest first, as are the questions. */
  readonly messages: ConversationMessageRow[]
  readonly questions: ConversationQuestionRow[]
}

async function readShown({ db, driver }: Pick<Store, 'db' | 'driver'>, conversationId: string): Promise<Shown> {
  const sizes = await db
    .selectFrom('conversationMessages')
    .select([
      'id',
      sql<number>`coalesce(octet_length("text"), 0) + coalesce(octet_length("markdown"), 0)
      + coalesce(octet_length("card"), 0) + octet_length("reactions")`.as('bytes'),
    ])
    .where('conversationId', '=', conversationId)
    .orderBy('position', 'desc')
    .limit(shownMessages)
    .execute()
  let bytes = 0
  const ids = sizes.flatMap((one) => {
    bytes += Number(one.bytes)
    return bytes <= shownBytes ? [one.id] : []
  })
  if (ids.length === 0) return { messages: [], questions: [] }
  const messages = await db
    .selectFrom('conversationMessages')
    .select([...columns, filesWithoutData(driver).as('files')])
    .where('id', 'in', ids)
    .orderBy('position', 'desc')
    .execute()
  const questions = await db
    .selectFrom('conversationQuestions')
    .selectAll()
    .where('conversationId', '=', conversationId)
    .where('messageId', 'in', ids)
    .orderBy('id', 'desc')
    .execute()
  return { messages, questions }
}

const columns = [
  ...(['id', 'environmentId', 'conversationId', 'position', 'role', 'author', 'text', 'markdown', 'card'] as const),
  ...(['reactions', 'questionId', 'error', 'platformMessageId', 'createdAt', 'editedAt', 'deletedAt'] as const),
] as const

/** The files can have 50 MiB; a page shows only their names, types and sizes. */
function filesWithoutData(driver: Store['driver']): RawBuilder<string> {
  const field = (name: string): RawBuilder<unknown> =>
    driver === 'postgres' ? sql`"file" ->> ${sql.lit(name)}` : sql`"file"."value" ->> ${sql.lit(`$.${name}`)}`
  const data = field('data')
  const size = sql`length(${data}) / 4 * 3 - case when ${data} like '%==' then 2 when ${data} like '%=' then 1 else 0 end`
  const pairs = sql`'name', ${field('name')}, 'mimeType', ${field('mimeType')}, 'url', ${field('url')}, 'size', ${size}`
  return driver === 'postgres'
    ? sql`(select coalesce(json_agg(json_build_object(${pairs})), '[]')::text from json_array_elements("files"::json) as "file")`
    : sql`(select json_group_array(json_object(${pairs})) from json_each("files") as "file")`
}
