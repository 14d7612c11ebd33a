import type { JsonObject } from '@trestle/protocol'
import { toByteCount } from '../../conversations/replies/content-schema.ts'
import { compact } from '../../json/json.ts'
import type {
  ConversationDeliveryRow,
  ConversationMessageRow,
  ConversationQuestionRow,
  ConversationRow,
} from '../../store/schema/agent.ts'

/** Returns a conversation in the format of lists. */
export function toConversation(row: ConversationRow): JsonObject {
  return compact({
    ...{ _id: row.id, agentId: row.agentId, identifier: row.id, status: row.status, platform: row.platform },
    ...{ integrationIdentifier: row.integrationIdentifier, subscriberId: row.subscriberId ?? undefined },
    ...{ title: row.title, messageCount: row.messageCount, summary: row.summary ?? undefined },
    ...{ createdAt: toIso(row.createdAt), lastActivityAt: toIso(row.lastActivityAt) },
  })
}

/** Returns a message in the API format. A separate operation returns the content of its files. */
export function toMessage(row: ConversationMessageRow): JsonObject {
  const files = JSON.parse(row.files) as readonly StoredFile[]
  const reactions = JSON.parse(row.reactions) as readonly { readonly emoji: string; readonly by: string }[]
  return compact({
    ...{ _id: row.id, role: row.role, author: parse(row.author) },
    ...{ text: row.text ?? undefined, markdown: row.markdown ?? undefined, card: parse(row.card) },
    files: files.length === 0 ? undefined : files.map(toFile),
    reactions: reactions.map(({ emoji, by }) => ({ emoji, by })),
    ...{ error: parse(row.error), questionId: row.questionId ?? undefined, createdAt: toIso(row.createdAt) },
    ...{ editedAt: toOptionalIso(row.editedAt), deletedAt: toOptionalIso(row.deletedAt) },
  })
}

/** A file as it is stored, or with its size instead of its data. */
interface StoredFile {
  readonly name: string
  readonly mimeType?: string | null
  readonly url?: string | null
  readonly data?: string
  readonly size?: number | null
}

function toFile({ name, mimeType, url, data, size }: StoredFile): JsonObject {
  const bytes = data === undefined ? (size ?? undefined) : toByteCount(data)
  return compact({ name, mimeType: mimeType ?? undefined, url: url ?? undefined, size: bytes })
}

/** Returns a question in the API format. */
export function toQuestion(row: ConversationQuestionRow): JsonObject {
  return compact({
    ...{ questionId: row.questionId, id: row.actionId, type: row.type, text: row.text, messageId: row.messageId },
    ...{ options: parse(row.options), labels: parse(row.labels), by: parse(row.by) },
    ...{ status: row.answer === null ? 'open' : 'answered', answer: parse(row.answer) },
    ...{ createdAt: toIso(row.createdAt), answeredAt: toOptionalIso(row.answeredAt) },
  })
}

/** Returns a delivery to the bridge in the API format. */
export function toDelivery(row: ConversationDeliveryRow): JsonObject {
  const lastError = row.errorCode === null ? undefined : { code: row.errorCode, message: row.errorMessage }
  return compact({
    ...{ deliveryId: row.id, event: row.event, messageId: row.messageId ?? undefined, status: row.status },
    ...{ attempts: row.attempts, lastError, createdAt: toIso(row.createdAt) },
    acknowledgedAt: row.status === 'acknowledged' ? toOptionalIso(row.settledAt) : undefined,
  })
}

const toIso = (ms: number): string => new Date(ms).toISOString()
const toOptionalIso = (ms: number | null): string | undefined => (ms === null ? undefined : toIso(ms))
const parse = (text: string | null): unknown => (text === null ? undefined : JSON.parse(text))
