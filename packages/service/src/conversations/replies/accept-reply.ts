import { createHash } from 'node:crypto'
import type { AgentReplyResult } from '@trestle/protocol'
import { ApiError, invalid } from '../../api/api-error.ts'
import { changeConversation, type HeldConversation } from '../base/change-conversation.ts'
import type { ConversationPorts } from '../base/conversation-ports.ts'
import { applyReply } from './apply-reply.ts'
import type { Reply } from './reply-schema.ts'

/** A reply and its target. */
export interface SentReply {
  /** Row id of the environment. */
  readonly environmentId: string
  /** The agent id in the path; `_` for any. */
  readonly agentId: string
  /** The conversation id in the path. */
  readonly conversationId: string
  /** The header `idempotency-key`. */
  readonly idempotencyKey: string | undefined
  readonly reply: Reply
}

/**
 * Applies a reply from an agent, once per idempotency key.
 *
 * @param ports - Dependencies of conversations.
 * @returns The response to the agent; for a repeated reply, the first response.
 * @throws {ApiError} 400 without a key, 404 for an unknown conversation, 422 if parts contradict each other.
 * @source protocol.md#replies
 */
export async function acceptReply(ports: ConversationPorts, sent: SentReply): Promise<AgentReplyResult> {
  const { environmentId, conversationId, reply } = sent
  const key = toKey(sent)
  checkPath(sent)
  const bodyHash = createHash('sha256').update(JSON.stringify(reply)).digest('hex')
  return changeConversation(ports, { environmentId, conversationId }, async (held) => {
    await checkEvent(held, reply)
    const { tx, nowMs } = held
    const earlierReply = await tx
      .selectFrom('conversationReplies')
      .selectAll()
      .where('conversationId', '=', conversationId)
      .where('key', '=', key)
      .executeTakeFirst()
    if (earlierReply && earlierReply.bodyHash !== bodyHash)
      throw new ApiError(422, `The idempotency key "${key}" was already used for a different reply.`)
    if (earlierReply) return JSON.parse(earlierReply.result) as AgentReplyResult
    const result = await applyReply(held, reply)
    await tx
      .insertInto('conversationReplies')
      .values({ conversationId, key, environmentId, bodyHash, result: JSON.stringify(result), createdAt: nowMs })
      .execute()
    return result
  })
}

function toKey({ reply, idempotencyKey }: SentReply): string {
  const key = `${reply.turnId}.${reply.sequence}`
  if (idempotencyKey === undefined || idempotencyKey === '')
    throw new ApiError(400, 'The header "idempotency-key" is missing. It must be "<turnId>.<sequence>" from the body.')
  if (idempotencyKey !== key)
    throw new ApiError(400, `The header "idempotency-key" must be "<turnId>.<sequence>" from the body: "${key}".`)
  return key
}

function checkPath({ agentId, conversationId, reply }: SentReply): void {
  if (agentId !== '_' && reply.agentId !== agentId) throw invalid('agentId', 'must be the agent in the path')
  if (reply.conversationId !== conversationId) throw invalid('conversationId', 'must be the conversation in the path')
}

async function checkEvent({ tx, row }: HeldConversation, reply: Reply): Promise<void> {
  if (row.agentId !== reply.agentId) throw invalid('agentId', 'must be the agent of the conversation')
  if (row.integrationIdentifier !== reply.integrationIdentifier)
    throw invalid('integrationIdentifier', 'must be the integration of the conversation')
  const delivery = await tx
    .selectFrom('conversationDeliveries')
    .select('id')
    .where('id', '=', reply.deliveryId)
    .where('conversationId', '=', row.id)
    .where('target', '=', 'bridge')
    .executeTakeFirst()
  if (!delivery) throw invalid('deliveryId', 'must be a delivery of the conversation')
}
