import type { JsonObject } from '@trestle/protocol'
import { sql } from 'kysely'
import { toEventSubscriber } from '../../engine/work/step-event.ts'
import { compact } from '../../json/json.ts'
import type { ConversationDeliveryRow, ConversationMessageRow, ConversationRow } from '../../store/schema/agent.ts'
import type { Session } from '../../store/store.ts'
import { conversationLimits as limits } from '../base/conversation-limits.ts'
import { toMessageText } from '../base/message-text.ts'

/** A delivery with its conversation. */
export interface Delivered {
  readonly conversation: ConversationRow
  readonly delivery: ConversationDeliveryRow
}

/**
 * Returns the body of an event as a bridge receives it.
 *
 * @param apiUrl - The URL of this API for bridges.
 * @source protocol.md#events
 */
export async function toAgentEvent(
  db: Session,
  { conversation, delivery }: Delivered,
  apiUrl: string,
): Promise<JsonObject> {
  const { id: conversationId, status, metadata, messageCount, createdAt, lastActivityAt } = conversation
  return {
    version: 1,
    deliveryId: delivery.id,
    replyUrl: toReplyUrl(apiUrl, conversation),
    conversationId,
    integrationIdentifier: conversation.integrationIdentifier,
    timestamp: toIso(delivery.createdAt),
    ...(JSON.parse(delivery.body) as JsonObject),
    conversation: {
      ...{ identifier: conversationId, status, metadata: JSON.parse(metadata), messageCount },
      ...{ createdAt: toIso(createdAt), lastActivityAt: toIso(lastActivityAt) },
    },
    history: await loadHistory(db, { conversation, delivery }),
    subscriber: await loadSubscriber(db, conversation),
    platform: conversation.platform,
    platformContext: JSON.parse(conversation.platformContext),
  }
}

/**
 * Returns the URL for replies from an agent. An agent id that proxies could interpret as a path is omitted; the
 * conversation identifies the agent.
 *
 * @param apiUrl - The URL of this API for bridges.
 */
export function toReplyUrl(apiUrl: string, { agentId, id }: Pick<ConversationRow, 'agentId' | 'id'>): string {
  const agentSegment = /^[\w-]+(\.[\w-]+)*$/.test(agentId) ? agentId : '_'
  return `${apiUrl.replace(/\/+$/, '')}/v1/agents/${agentSegment}/conversations/${id}/replies`
}

type ToldMessage = Pick<ConversationMessageRow, 'id' | 'role' | 'text' | 'markdown' | 'card' | 'files' | 'createdAt'>

/** Messages read at once. */
const historyPage = 50

/** Files can be several megabytes, and their names are only used if a message has no text. */
const filesOfNothingSaid = sql<string>`case when coalesce(nullif("text", ''), nullif("markdown", '')) is null
  then "files" else '[]' end`.as('files')

/**
 * Returns the history before an event: all messages except later user messages, which have their own events. If it is
 * too long, the oldest messages are omitted.
 */
async function loadHistory(db: Session, delivered: Delivered): Promise<readonly JsonObject[]> {
  const entries: JsonObject[] = []
  let length = 0
  // In pages, because messages can be long, and most conversations are short.
  for (let before = Number.MAX_SAFE_INTEGER; entries.length < limits.history; ) {
    const rows = await readBefore(db, delivered, before)
    for (const row of rows) {
      const entry = toEntry(row)
      length += entry.text.length
      if (length > limits.historyLength || entries.length === limits.history) return entries.reverse()
      entries.push(entry)
      before = row.position
    }
    if (rows.length < historyPage) break
  }
  return entries.reverse()
}

function readBefore(db: Session, { conversation, delivery }: Delivered, before: number) {
  return db
    .selectFrom('conversationMessages')
    .select(['id', 'role', 'text', 'markdown', 'card', 'createdAt', 'position', filesOfNothingSaid])
    .where('conversationId', '=', conversation.id)
    .where('position', '<', before)
    .where('deletedAt', 'is', null)
    .where('id', '!=', delivery.event === 'onMessage' ? (delivery.messageId ?? '') : '')
    .where(sql<boolean>`("position" < ${delivery.position} or "role" <> 'user')`)
    .orderBy('position', 'desc')
    .limit(historyPage)
    .execute()
}

function toEntry(row: ToldMessage): JsonObject & { readonly text: string } {
  const { id, role, createdAt } = row
  return { role, text: toMessageText(row), messageId: id, timestamp: toIso(createdAt) }
}

async function loadSubscriber(
  db: Session,
  { environmentId, subscriberId }: ConversationRow,
): Promise<JsonObject | null> {
  if (subscriberId === null) return null
  const row = await db
    .selectFrom('subscribers')
    .selectAll()
    .where('environmentId', '=', environmentId)
    .where('subscriberId', '=', subscriberId)
    .executeTakeFirst()
  return row ? compact(toEventSubscriber(row)) : null
}

const toIso = (ms: number): string => new Date(ms).toISOString()
