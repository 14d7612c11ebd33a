import { sql } from 'kysely'
import { ApiError } from '../../api/api-error.ts'
import { createId } from '../../store/create-id.ts'
import type { ConversationRow } from '../../store/schema/agent.ts'
import type { Session } from '../../store/store.ts'
import { conversationLimits } from './conversation-limits.ts'

/** A conversation that begins. */
export interface NewConversation extends Pick<ConversationRow, 'environmentId' | 'agentId' | 'platform'> {
  /** The integration that speaks for the agent. @default 'web' */
  readonly integrationIdentifier?: string
  /** The caller's own identifier of the subscriber. @default nobody */
  readonly subscriberId?: string | undefined
  /** The thread of the platform. @default none */
  readonly threadKey?: string
  /** The place on the platform. @default nothing */
  readonly platformContext?: object
}

/**
 * Stores a new conversation.
 *
 * @param tx - The session of the transaction.
 * @param given - Its agent and its place.
 * @param nowMs - The time, milliseconds since 1970.
 * @returns The conversation; `undefined` where the thread has one already.
 * @throws {ApiError} 409 when the environment has as many as it may.
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
    throw new ApiError(409, `The environment has ${conversationLimits.conversations} conversations, which is the most.`)
}
