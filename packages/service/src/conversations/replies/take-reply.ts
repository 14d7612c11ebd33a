import { createHash } from 'node:crypto'
import type { AgentReplyResult } from '@trestle/protocol'
import { ApiError, invalid } from '../../api/api-error.ts'
import { changeConversation, type HeldConversation } from '../base/change-conversation.ts'
import type { ConversationPorts } from '../base/conversation-ports.ts'
import { applyReply } from './apply-reply.ts'
import type { Reply } from './reply-schema.ts'

/** A reply with the place it was sent to. */
export interface SentReply {
  /** Row id of the environment. */
  readonly environmentId: string
  /** The agent that the address names; `_` stands for any. */
  readonly agentId: string
  /** The conversation that the address names. */
  readonly conversationId: string
  /** The header `idempotency-key`. */
  readonly idempotencyKey: string | undefined
  /** The body, checked. */
  readonly reply: Reply
}

/**
 * Takes a reply of an agent: does what it says, once for each idempotency key.
 *
 * @param ports - What conversations are kept with.
 * @param sent - The reply.
 * @returns What the agent is answered; for a reply that was taken before the same as then.
 * @throws {ApiError} 400 without a key, 404 for an unknown conversation, 422 where parts contradict each other.
 * @source protocol.md#replies
 */
export async function takeReply(ports: ConversationPorts, sent: SentReply): Promise<AgentReplyResult> {
  const { environmentId, conversationId, reply } = sent
  const key = toKey(sent)
  checkPlace(sent)
  const bodyHash = createHash('sha256').update(JSON.stringify(reply)).digest('hex')
  return changeConversation(ports, { environmentId, conversationId }, async (held) => {
    await checkEvent(held, reply)
    const { tx, nowMs } = held
    const known = await tx
      .selectFrom('conversationReplies')
      .selectAll()
      .where('conversationId', '=', conversationId)
      .where('key', '=', key)
      .executeTakeFirst()
    if (known && known.bodyHash !== bodyHash)
      throw new ApiError(422, `The idempotency key "${key}" was used for another reply.`)
    if (known) return JSON.parse(known.result) as AgentReplyResult
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
    throw new ApiError(400, 'A reply needs the header "idempotency-key", which is "<turnId>.<sequence>" of its body.')
  if (idempotencyKey !== key)
    throw new ApiError(400, `The header "idempotency-key" must be "<turnId>.<sequence>" of the body: "${key}".`)
  return key
}

function checkPlace({ agentId, conversationId, reply }: SentReply): void {
  if (agentId !== '_' && reply.agentId !== agentId) throw invalid('agentId', 'must be the agent of the address')
  if (reply.conversationId !== conversationId)
    throw invalid('conversationId', 'must be the conversation of the address')
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
