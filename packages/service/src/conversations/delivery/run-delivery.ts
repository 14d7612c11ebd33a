import { toStorable } from '../../channels/base/storable.ts'
import type { EngineLogger } from '../../engine/port/engine-ports.ts'
import { maxHandOvers } from '../../engine/work/hand-over.ts'
import type { TakenItem } from '../../queue/queue.ts'
import type { ConversationDeliveryRow } from '../../store/schema/agent.ts'
import type { Session } from '../../store/store.ts'
import { addMessage } from '../base/add-message.ts'
import { changeHeld, type HeldConversation, lockConversation } from '../base/change-conversation.ts'
import { conversationLimits } from '../base/conversation-limits.ts'
import type { ConversationPorts } from '../base/conversation-ports.ts'
import { countWaiting, queueDelivery, toItem } from '../base/queue-delivery.ts'
import type { Delivered } from './agent-event.ts'
import type { DeliveryFault, DeliveryOutcome, DeliverySender } from './delivery-outcome.ts'

/** Dependencies of deliveries. */
export interface DeliveryWork extends ConversationPorts {
  readonly senders: Readonly<Record<ConversationDeliveryRow['target'], DeliverySender>>
  /** Receives internal failures. */
  readonly logger: EngineLogger
}

/** The maximum number of attempts of a delivery that fails in the service itself, over a few minutes. */
const maxFaults = 12
/** The maximum length of a fault's message, in UTF-16 code units. */
const shownLength = 500

/**
 * Runs the delivery that was taken from the queue, and enqueues the next one of the conversation. A delivery that was
 * interrupted by a crash is repeated with the same id.
 *
 * @param work - Dependencies.
 * @param signal - Cancels calls when the service stops.
 * @throws Internal failures, so that the item is retried later.
 */
export async function runDelivery(work: DeliveryWork, item: TakenItem, signal: AbortSignal): Promise<void> {
  const delivered = await load(work.store.db, item.id)
  if (delivered?.delivery.status !== 'pending') return
  const outcome = await send(work, { delivered, item, signal })
  await settle(work, { delivered, item, outcome })
}

async function load(db: Session, id: string): Promise<Delivered | undefined> {
  const delivery = await db.selectFrom('conversationDeliveries').selectAll().where('id', '=', id).executeTakeFirst()
  if (!delivery) return undefined
  const conversation = await db
    .selectFrom('conversations')
    .selectAll()
    .where('id', '=', delivery.conversationId)
    .executeTakeFirst()
  return conversation && { conversation, delivery }
}

interface Sending {
  readonly delivered: Delivered
  readonly item: TakenItem
  readonly signal: AbortSignal
}

async function send(work: DeliveryWork, { delivered, item, signal }: Sending): Promise<DeliveryOutcome> {
  const { senders, logger, store } = work
  signal.throwIfAborted()
  const { target, id } = delivered.delivery
  // Bridges recognize a repeated event by its id; platforms would show a resent message twice.
  if (target === 'platform' && (await countHandOver(store.db, id)) > maxHandOvers) return unknownDelivery
  try {
    return await senders[delivered.delivery.target](delivered, signal)
  } catch (error) {
    if (signal.aborted || item.attempts < maxFaults) throw error
    logger.error({ err: error, deliveryId: item.id }, 'a delivery failed in the service')
    const fault = {
      code: 'InternalServerError',
      message: 'The service could not send it. See the log of the service for the reason.',
    }
    return { attempts: item.attempts, fault }
  }
}

/** Counts a hand-over before it happens, so that the count is correct even if this process ends during it. */
async function countHandOver(db: Session, id: string): Promise<number> {
  const { handOvers } = await db
    .updateTable('conversationDeliveries')
    .set((row) => ({ handOvers: row('handOvers', '+', 1) }))
    .where('id', '=', id)
    .returning('handOvers')
    .executeTakeFirstOrThrow()
  return handOvers
}

const unknownDelivery: DeliveryOutcome = {
  attempts: 0,
  fault: {
    code: 'delivery_unknown',
    message: `The service could not store the answers to ${maxHandOvers} hand-overs. The platform may have accepted the message, so it is not handed over again.`,
  },
}

interface Settlement {
  readonly delivered: Delivered
  readonly item: TakenItem
  readonly outcome: DeliveryOutcome
}

async function settle(work: DeliveryWork, { delivered, item, outcome }: Settlement): Promise<void> {
  const { store, clock, queue, feed } = work
  const { environmentId, id: conversationId } = delivered.conversation
  await store.transaction(async (tx) => {
    const row = await lockConversation(tx, { environmentId, conversationId })
    if (row)
      await changeHeld({ tx, row, nowMs: clock.now(), queue }, (held) =>
        storeOutcome(held, delivered.delivery.id, outcome),
      )
    await item.complete(tx)
  })
  feed.notify()
}

/** Stores the outcome of a delivery and its follow-up, unless another process has done so. */
async function storeOutcome(held: HeldConversation, deliveryId: string, outcome: DeliveryOutcome): Promise<void> {
  const { tx, row, nowMs, queue } = held
  const { retryMs, attempts, platformMessageId } = outcome
  const fault = outcome.fault && toShown(outcome.fault)
  const status = fault === undefined ? 'acknowledged' : retryMs === undefined ? 'failed' : 'pending'
  const delivery = await tx
    .updateTable('conversationDeliveries')
    .set((is) => ({
      ...{ status, attempts: is('attempts', '+', attempts), settledAt: status === 'pending' ? null : nowMs },
      ...{ errorCode: fault?.code ?? null, errorMessage: fault?.message ?? null, handOvers: 0 },
    }))
    .where('id', '=', deliveryId)
    .where('status', '=', 'pending')
    .returningAll()
    .executeTakeFirst()
  if (!delivery) return
  if (platformMessageId !== undefined && delivery.messageId !== null)
    await tx
      .updateTable('conversationMessages')
      .set({ platformMessageId })
      .where('id', '=', delivery.messageId)
      .execute()
  if (retryMs !== undefined) {
    await queue.add(tx, [toItem(row, delivery)], { delayMs: retryMs })
    return
  }
  if (fault) await showFault(held, delivery, fault)
  const next = await findNext(held, delivery)
  if (next) await queue.add(tx, [toItem(row, next)])
}

/** Returns a fault that can be stored: its message may come from a server. */
function toShown({ code, message }: DeliveryFault): DeliveryFault {
  return { code, message: toStorable(message.slice(0, shownLength)) }
}

async function findNext(
  { tx }: HeldConversation,
  { conversationId, target }: ConversationDeliveryRow,
): Promise<ConversationDeliveryRow | undefined> {
  return tx
    .selectFrom('conversationDeliveries')
    .selectAll()
    .where('conversationId', '=', conversationId)
    .where('target', '=', target)
    .where('status', '=', 'pending')
    .orderBy('position')
    .limit(1)
    .executeTakeFirst()
}

/** Users on a platform only see that the agent does not answer; the studio shows the reason. */
async function showFault(
  held: HeldConversation,
  { target, event }: ConversationDeliveryRow,
  fault: DeliveryFault,
): Promise<void> {
  if (held.row.messageCount >= conversationLimits.messages) return
  const what =
    target === 'bridge'
      ? `The event ${event} did not reach the agent`
      : `${held.row.platform === 'email' ? 'Sending the email' : 'Sending to Slack'} failed (${event})`
  const row = await addMessage(held, { role: 'system', text: `${what}: ${fault.message}`, error: fault })
  if (target === 'platform' || event === 'onResolve' || held.row.platform === 'web') return
  if ((await countWaiting(held, 'platform')) < conversationLimits.waiting)
    await queueDelivery(held, { target: 'platform', event: 'post', messageId: row.id })
}
