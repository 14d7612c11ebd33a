import { ApiError, notFound } from '../../api/api-error.ts'
import type { QueueItem } from '../../queue/queue.ts'
import { createId } from '../../store/create-id.ts'
import type { ConversationDeliveryRow, ConversationRow } from '../../store/schema/agent.ts'
import type { HeldConversation } from './change-conversation.ts'
import { conversationLimits } from './conversation-limits.ts'

/** The kind of work that a delivery is in the queue. */
export const deliveryKind = 'conversation-delivery'

/** A delivery that begins. */
export interface NewDelivery extends Pick<ConversationDeliveryRow, 'target' | 'event'> {
  /** The message it is about. @default none */
  readonly messageId?: string
  /** The part of the event that is its own. @default nothing */
  readonly body?: object
}

/**
 * Stores a delivery. Those of one conversation and target are done one after the other: only the first of them is in
 * the queue, and the next follows it there.
 *
 * @param held - The conversation.
 * @param delivery - What is delivered.
 * @returns The row.
 * @throws {ApiError} 503 when too many wait.
 */
export async function queueDelivery(held: HeldConversation, delivery: NewDelivery): Promise<ConversationDeliveryRow> {
  const { tx, row: conversation, nowMs, queue } = held
  const { target, event, messageId = null, body = {} } = delivery
  const waiting = await countRoom(held, target)
  conversation.lastPosition++
  const row: ConversationDeliveryRow = {
    ...{ id: createId(nowMs), environmentId: conversation.environmentId, conversationId: conversation.id },
    ...{ target, event, messageId, body: JSON.stringify(body), position: conversation.lastPosition },
    ...{ status: 'pending', attempts: 0, errorCode: null, errorMessage: null, createdAt: nowMs, settledAt: null },
  }
  await tx.insertInto('conversationDeliveries').values(row).execute()
  if (waiting === 0) await queue.add(tx, [toItem(conversation, row)])
  return row
}

/**
 * Lets an event that no bridge took wait for its turn again, under the same id: a bridge that took it all the same does
 * not act on it twice. It keeps its place, so that it comes before those that wait.
 *
 * @param held - The conversation.
 * @param deliveryId - The delivery.
 * @throws {ApiError} 404 when the conversation has no such event, 409 when it did not fail, 503 when too many wait.
 */
export async function queueAgain(held: HeldConversation, deliveryId: string): Promise<void> {
  const { tx, row: conversation, queue } = held
  const known = await tx
    .selectFrom('conversationDeliveries')
    .selectAll()
    .where('id', '=', deliveryId)
    .where('conversationId', '=', conversation.id)
    .where('target', '=', 'bridge')
    .executeTakeFirst()
  if (!known) throw notFound('Delivery', deliveryId)
  if (known.status !== 'failed')
    throw new ApiError(409, `The delivery is ${known.status}. Only one that failed can be sent again.`)
  const waiting = await countRoom(held, known.target)
  await tx
    .updateTable('conversationDeliveries')
    .set({ status: 'pending', attempts: 0, settledAt: null })
    .where('id', '=', deliveryId)
    .execute()
  if (waiting === 0) await queue.add(tx, [toItem(conversation, known)])
}

/** Returns how many wait, where one more may. */
async function countRoom(held: HeldConversation, target: ConversationDeliveryRow['target']): Promise<number> {
  const waiting = await countWaiting(held, target)
  if (waiting < conversationLimits.waiting) return waiting
  throw new ApiError(503, `${waiting} deliveries of this conversation wait already. Please retry later.`, {
    headers: { 'retry-after': '5' },
  })
}

/**
 * Returns how many deliveries of a conversation wait for their turn or are being sent.
 *
 * @param held - The conversation.
 * @param target - Where they go.
 */
export async function countWaiting(
  { tx, row }: HeldConversation,
  target: ConversationDeliveryRow['target'],
): Promise<number> {
  const { count } = await tx
    .selectFrom('conversationDeliveries')
    .select(({ fn }) => fn.countAll<number>().as('count'))
    .where('conversationId', '=', row.id)
    .where('target', '=', target)
    .where('status', '=', 'pending')
    .executeTakeFirstOrThrow()
  return Number(count)
}

/**
 * Returns a delivery as work of the queue.
 *
 * @param conversation - Its conversation.
 * @param delivery - The delivery.
 */
export function toItem(
  { environmentId, agentId, integrationIdentifier }: ConversationRow,
  { id, target }: ConversationDeliveryRow,
): QueueItem {
  return {
    kind: deliveryKind,
    id,
    lane: `${target} ${environmentId} ${target === 'bridge' ? agentId : integrationIdentifier}`,
  }
}
