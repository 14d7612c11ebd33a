import { ApiError, notFound } from '../../api/api-error.ts'
import { toLaneName } from '../../queue/lane-name.ts'
import type { QueueItem } from '../../queue/queue.ts'
import { createId } from '../../store/create-id.ts'
import type { ConversationDeliveryRow, ConversationRow } from '../../store/schema/agent.ts'
import type { HeldConversation } from './change-conversation.ts'
import { conversationLimits } from './conversation-limits.ts'

/** The kind of queue item of a delivery. */
export const deliveryKind = 'conversation-delivery'

export interface NewDelivery extends Pick<ConversationDeliveryRow, 'target' | 'event'> {
  /** The message it is about. @default none */
  readonly messageId?: string
  /** The event-specific fields. @default none */
  readonly body?: object
}

/**
 * Stores a delivery. Deliveries of a conversation to the same target run one after the other: only the first is in the
 * queue, and the next follows it there.
 *
 * @returns The row.
 * @throws {ApiError} 503 if too many are pending.
 */
export async function queueDelivery(held: HeldConversation, delivery: NewDelivery): Promise<ConversationDeliveryRow> {
  const { tx, row: conversation, nowMs, queue } = held
  const { target, event, messageId = null, body = {} } = delivery
  const waiting = await countRoom(held, target)
  conversation.lastPosition++
  const row: ConversationDeliveryRow = {
    ...{ id: createId(nowMs), environmentId: conversation.environmentId, conversationId: conversation.id },
    ...{ target, event, messageId, body: JSON.stringify(body), position: conversation.lastPosition },
    ...{
      status: 'pending',
      attempts: 0,
      handOvers: 0,
      errorCode: null,
      errorMessage: null,
      createdAt: nowMs,
      settledAt: null,
    },
  }
  await tx.insertInto('conversationDeliveries').values(row).execute()
  if (waiting === 0) await queue.add(tx, [toItem(conversation, row)])
  return row
}

/**
 * Requeues an undelivered event with the same id, so that a bridge that received it anyway does not handle it twice. It
 * keeps its position, before pending events.
 *
 * @throws {ApiError} 404 if the conversation does not have the event, 409 if it did not fail, 503 if too many are
 * pending.
 */
export async function queueAgain(held: HeldConversation, deliveryId: string): Promise<void> {
  const { tx, row: conversation, queue } = held
  const delivery = await tx
    .selectFrom('conversationDeliveries')
    .selectAll()
    .where('id', '=', deliveryId)
    .where('conversationId', '=', conversation.id)
    .where('target', '=', 'bridge')
    .executeTakeFirst()
  if (!delivery) throw notFound('Delivery', deliveryId)
  if (delivery.status !== 'failed')
    throw new ApiError(409, `The delivery is ${delivery.status}. Only failed deliveries can be sent again.`)
  const waiting = await countRoom(held, delivery.target)
  await tx
    .updateTable('conversationDeliveries')
    .set({ status: 'pending', attempts: 0, settledAt: null })
    .where('id', '=', deliveryId)
    .execute()
  if (waiting === 0) await queue.add(tx, [toItem(conversation, delivery)])
}

/**
 * Returns the number of pending deliveries, if one more is allowed.
 *
 * @throws {ApiError} 503 if too many are pending.
 */
export async function countRoom(held: HeldConversation, target: ConversationDeliveryRow['target']): Promise<number> {
  const waiting = await countWaiting(held, target)
  if (waiting < conversationLimits.waiting) return waiting
  throw new ApiError(503, `${waiting} deliveries of this conversation are already pending. Retry later.`, {
    headers: { 'retry-after': '5' },
  })
}

/** Returns the number of deliveries of a conversation that are pending or being sent. */
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

/** Returns a delivery as a queue item. */
export function toItem(
  { environmentId, agentId, integrationIdentifier }: ConversationRow,
  { id, target }: ConversationDeliveryRow,
): QueueItem {
  return {
    kind: deliveryKind,
    id,
    lane: toLaneName(environmentId, `${target} ${target === 'bridge' ? agentId : integrationIdentifier}`),
  }
}
