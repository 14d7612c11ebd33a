import { sql } from 'kysely'
import { ApiError } from '../../api/api-error.ts'
import { createId } from '../../store/create-id.ts'
import type { ConversationRow } from '../../store/schema/agent.ts'
import type { Session } from '../../store/store.ts'
import { conversationLimits } from './conversation-limits.ts'

export interface NewConversation extends Pick<ConversationRow, 'environmentId' | 'agentId' | 'platform'> {
  /** The integration of the agent. @default 'web' */
  readonly integrationIdentifier?: string
  /** The subscriber id. @default none */
  readonly subscriberId?: string | undefined
  /** The thread on the platform. @default none */
  readonly threadKey?: string
  /** The location on the platform. @default none */
  readonly platformContext?: object
}

/**
 * Stores a new conversation.
 *
 * @param tx - The transaction.
 * @param given - Its agent and location.
 * @param nowMs - The time, in milliseconds since 1970.
 * @returns The conversation; `undefined` if the thread already has one.
 * @throws {ApiError} 409 if the environment has the maximum number of conversations.
 */
export async function createConversation(
  tx: Session,
  given: NewConversation,
  nowMs: number,
): Promise<ConversationRow | undefined> {
  const {
    environmentId,
    agentId,
    platform,
    integrationIdentifier = 'web',
    subscriberId = null,
    threadKey = null,
  } = given
  await checkCount(tx, environmentId)
  return tx
    .insertInto('conversations')
    .values({
      id: createId(nowMs),
      ...{ environmentId, agentId, platform, integrationIdentifier, subscriberId, threadKey },
      platformContext: JSON.stringify(given.platformContext ?? {}),
      ...{ status: 'open', title: '', summary: null, metadata: '{}', typingUntil: null },
      ...{ messageCount: 0, fileBytes: 0, lastPosition: 0, changes: 0 },
      ...{ createdAt: nowMs, lastActivityAt: nowMs, changedAt: nowMs },
    })
    .onConflict((conflict) => conflict.doNothing())
    .returningAll()
    .executeTakeFirst()
}

async function checkCount(tx: Session, environmentId: string): Promise<void> {
  const { rows } = await sql<{ readonly count: number }>`select count(*) as "count" from (select 1 from "conversations"
    where "environmentId" = ${environmentId} limit ${conversationLimits.conversations}) as "counted"`.execute(tx)
  if (Number(rows[0]?.count ?? 0) >= conversationLimits.conversations)
    throw new ApiError(
      409,
      `The environment has ${conversationLimits.conversations} conversations, which is the maximum.`,
    )
}
