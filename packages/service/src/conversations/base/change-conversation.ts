import { notFound } from '../../api/api-error.ts'
import type { ConversationRow } from '../../store/schema/agent.ts'
import type { Session } from '../../store/store.ts'
import type { ConversationPorts } from './conversation-ports.ts'

/** A locked conversation: no other transaction changes it before this one ends. */
export interface HeldConversation {
  /** The transaction. */
  readonly tx: Session
  /** The conversation; its fields are changed in place and stored at the end. */
  readonly row: ConversationRow
  /** The time, in milliseconds since 1970. */
  readonly nowMs: number
  /** The queue of deliveries. */
  readonly queue: ConversationPorts['queue']
}

export interface NamedConversation {
  /** Row id of the environment. */
  readonly environmentId: string
  /** Row id of the conversation. */
  readonly conversationId: string
}

/**
 * Changes a conversation in one transaction. Concurrent changes run one after the other.
 *
 * @param ports - Dependencies.
 * @param work - Changes it; may be called again if the database reports a deadlock.
 * @returns The result of `work`.
 * @throws {ApiError} 404 if it does not exist in the environment.
 */
export async function changeConversation<T>(
  { store, clock, queue, feed }: ConversationPorts,
  { environmentId, conversationId }: NamedConversation,
  work: (held: HeldConversation) => Promise<T>,
): Promise<T> {
  const result = await store.transaction(async (tx) => {
    const nowMs = clock.now()
    const row = await lockConversation(tx, { environmentId, conversationId })
    if (!row) throw notFound('Conversation', conversationId)
    return await changeHeld({ tx, row, nowMs, queue }, work)
  })
  feed.notify()
  return result
}

/** Changes a conversation that the transaction has locked, and stores its row. */
export async function changeHeld<T>(held: HeldConversation, work: (held: HeldConversation) => Promise<T>): Promise<T> {
  const result = await work(held)
  const { tx, row, nowMs } = held
  const { id, changes, ...fields } = row
  await tx
    .updateTable('conversations')
    .set({ ...fields, changes, changedAt: nowMs })
    .where('id', '=', id)
    .execute()
  return result
}

/**
 * Locks a conversation for the rest of a transaction, and increments its revision.
 *
 * @param tx - The transaction.
 * @returns The conversation; `undefined` if it does not exist.
 */
export async function lockConversation(
  tx: Session,
  { environmentId, conversationId }: NamedConversation,
): Promise<ConversationRow | undefined> {
  return tx
    .updateTable('conversations')
    .set((row) => ({ changes: row('changes', '+', 1) }))
    .where('id', '=', conversationId)
    .where('environmentId', '=', environmentId)
    .returningAll()
    .executeTakeFirst()
}
