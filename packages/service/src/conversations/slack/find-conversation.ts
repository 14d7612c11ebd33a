import { ApiError } from '../../api/api-error.ts'
import type { ConversationRow } from '../../store/schema/agent.ts'
import type { Session } from '../../store/store.ts'
import { createConversation } from '../base/create-conversation.ts'
import type { SlackCall, SlackClicked, SlackReacted } from './read-slack-call.ts'
import { readUsedBlock } from './slack-actions.ts'
import type { SlackIntegration } from './slack-integration.ts'

/** A call from Slack for an agent. */
export interface ReceivedCall {
  /** The integration whose secret signed it. */
  readonly integration: SlackIntegration
  /** The agent id in the bridge. */
  readonly agentId: string
  readonly call: Exclude<SlackCall, { readonly kind: 'challenge' | 'ignored' }>
}

/**
 * Returns the conversation of a Slack call, or starts one if a message addresses the bot in a new thread.
 *
 * @param tx - The transaction.
 * @param nowMs - The time, in milliseconds since 1970.
 * @returns The conversation; `undefined` if the call belongs to none.
 * @throws {ApiError} 503 for a reaction to a message that may still be on its way to Slack.
 */
export async function findConversation(
  tx: Session,
  received: ReceivedCall,
  nowMs: number,
): Promise<ConversationRow | undefined> {
  const { integration, agentId, call } = received
  if (call.kind === 'click') return findByBlock(tx, { ...received, call })
  if (call.kind === 'reaction') return findByMessage(tx, { ...received, call })
  const { environmentId, identifier: integrationIdentifier } = integration
  const { channel, threadTs, teamId, isForBot } = call
  const threadKey = `${channel} ${threadTs}`
  const find = (): Promise<ConversationRow | undefined> =>
    tx
      .selectFrom('conversations')
      .selectAll()
      .where('environmentId', '=', environmentId)
      .where('integrationIdentifier', '=', integrationIdentifier)
      .where('agentId', '=', agentId)
      .where('threadKey', '=', threadKey)
      .executeTakeFirst()
  const existingConversation = await find()
  if (existingConversation || !isForBot) return existingConversation
  const platformContext = { channel, threadTs, ...(teamId === undefined ? {} : { teamId }) }
  const begun = {
    environmentId,
    agentId,
    integrationIdentifier,
    threadKey,
    platformContext,
    platform: 'slack',
  } as const
  return (await createConversation(tx, begun, nowMs)) ?? (await find())
}

/** The block id names a question or a card. */
async function findByBlock(
  tx: Session,
  { integration, agentId, call }: ReceivedCall & { readonly call: SlackClicked },
): Promise<ConversationRow | undefined> {
  const [used] = call.actions.flatMap(({ blockId }) => readUsedBlock(blockId) ?? [])
  if (!used) return undefined
  const named =
    used.table === 'conversationQuestions'
      ? tx.selectFrom('conversationQuestions').select('conversationId').where('id', '=', used.id)
      : tx.selectFrom('conversationMessages').select('conversationId').where('id', '=', used.id)
  const row = await tx
    .selectFrom('conversations')
    .selectAll()
    .where('id', '=', named)
    .where('environmentId', '=', integration.environmentId)
    .where('integrationIdentifier', '=', integration.identifier)
    .where('agentId', '=', agentId)
    .executeTakeFirst()
  return row && isIn(row, call.channel) ? row : undefined
}

const isIn = ({ threadKey }: Pick<ConversationRow, 'threadKey'>, channel: string): boolean =>
  threadKey?.startsWith(`${channel} `) ?? false

/** Slack identifies a message by its channel and timestamp. */
async function findByMessage(
  tx: Session,
  received: ReceivedCall & { readonly call: SlackReacted },
): Promise<ConversationRow | undefined> {
  const { integration, agentId, call } = received
  // Checked first: if the response to the post arrives in between, the query below finds it.
  const mayBeSent = call.mayBeOfBot && (await isSending(tx, received))
  const rows = await tx
    .selectFrom('conversations')
    .innerJoin('conversationMessages as message', 'message.conversationId', 'conversations.id')
    .selectAll('conversations')
    .where('message.environmentId', '=', integration.environmentId)
    .where('message.platformMessageId', '=', call.ts)
    .where('conversations.integrationIdentifier', '=', integration.identifier)
    .where('conversations.agentId', '=', agentId)
    .limit(100)
    .execute()
  const row = rows.find((one) => isIn(one, call.channel))
  if (row || !mayBeSent) return row
  throw new ApiError(503, 'Slack has not yet confirmed which message was sent. Retry later.', {
    headers: { 'retry-after': '5' },
  })
}

const maxSkewMs = 60_000

/** Whether a post to the channel awaits Slack's response. Users may see its message before its id is known here. */
async function isSending(
  tx: Session,
  { integration, agentId, call }: ReceivedCall & { readonly call: SlackReacted },
): Promise<boolean> {
  const sentMs = Math.ceil(Number(call.ts) * 1000)
  if (!Number.isSafeInteger(sentMs)) return false
  const rows = await tx
    .selectFrom('conversations')
    .innerJoin('conversationDeliveries as delivery', 'delivery.conversationId', 'conversations.id')
    .innerJoin('conversationMessages as message', 'message.id', 'delivery.messageId')
    .select('conversations.threadKey')
    .distinct()
    .where('conversations.environmentId', '=', integration.environmentId)
    .where('conversations.integrationIdentifier', '=', integration.identifier)
    .where('conversations.agentId', '=', agentId)
    .where('delivery.target', '=', 'platform')
    .where('delivery.status', '=', 'pending')
    .where('message.platformMessageId', 'is', null)
    .where('message.createdAt', '<=', sentMs + maxSkewMs)
    .execute()
  return rows.some((row) => isIn(row, call.channel))
}
