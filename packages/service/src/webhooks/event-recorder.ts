import type { JsonObject } from '@trestle/protocol'
import type { EngineEvent, EventPort } from '../engine/port/event-port.ts'
import type { Queue } from '../queue/queue.ts'
import { createId } from '../store/create-id.ts'
import { insertPrepared } from '../store/prepared.ts'
import type { WebhookDeliveryRow } from '../store/schema/delivery.ts'
import type { Session } from '../store/store.ts'
import { loadEventData } from './event-data.ts'
import { queueWebhook } from './queue-webhook.ts'

/** Records events for the webhooks of environments. */
export interface EventRecorder extends EventPort {
  /** Forces the environment's endpoints to be reloaded at its next event. */
  forget(environmentId: string): void
}

/** An endpoint that receives events. */
interface Receiver {
  readonly id: string
  /** The event types it receives; empty for all. */
  readonly types: readonly string[]
}

/** How long a process may miss changes by other processes, in milliseconds. */
const knownMs = 1000
const maxKnown = 10_000

/**
 * Creates the event recorder. Deliveries are stored in the transaction of the change. An environment without endpoints
 * costs at most one query per second.
 *
 * @param queue - The queue.
 */
export function createEventRecorder(queue: Pick<Queue, 'add'>): EventRecorder {
  const knownReceivers = new Map<string, { readonly untilMs: number; readonly receivers: readonly Receiver[] }>()

  async function findReceivers(tx: Session, environmentId: string): Promise<readonly Receiver[]> {
    const entry = knownReceivers.get(environmentId)
    if (entry && entry.untilMs > performance.now()) return entry.receivers
    const receivers = await loadReceivers(tx, environmentId)
    if (knownReceivers.size >= maxKnown) knownReceivers.clear()
    knownReceivers.set(environmentId, { receivers, untilMs: performance.now() + knownMs })
    return receivers
  }

  return {
    async record(tx, event) {
      const { environmentId, type } = event
      const receivers = await findReceivers(tx, environmentId)
      const wanted = receivers.filter(({ types }) => types.length === 0 || types.includes(type))
      if (wanted.length === 0) return
      const loaded = await loadEventData(tx, event)
      if (!loaded) return
      const { data, trace } = loaded
      const rows = toDeliveries(
        { ...event, trace },
        { ...data, ...event.data },
        wanted.map(({ id }) => id),
      )
      await insertPrepared(tx, 'webhookDeliveries', rows)
      await queueWebhook(tx, queue, { deliveries: rows, priority: event.priority })
    },
    forget: (environmentId) => knownReceivers.delete(environmentId),
  }
}

async function loadReceivers(tx: Session, environmentId: string): Promise<readonly Receiver[]> {
  const rows = await tx
    .selectFrom('webhookEndpoints')
    .select(['id', 'eventTypes'])
    .where('environmentId', '=', environmentId)
    .where('active', '=', 1)
    .execute()
  return rows.map(({ id, eventTypes }) => ({ id, types: JSON.parse(eventTypes) as readonly string[] }))
}

/** The fields of an event that a delivery uses. */
export interface DeliveredEvent extends Pick<EngineEvent, 'environmentId' | 'nowMs'> {
  readonly type: string
  /** The stored trace context of what happened. @default none */
  readonly trace?: string | null
}

/**
 * Returns the rows that deliver an event.
 *
 * @param endpointIds - Row ids of the endpoints.
 */
export function toDeliveries(
  { environmentId, type, nowMs, trace = null }: DeliveredEvent,
  data: JsonObject,
  endpointIds: readonly string[],
): readonly WebhookDeliveryRow[] {
  const payload = JSON.stringify({ type, timestamp: new Date(nowMs).toISOString(), data })
  const eventId = `msg_${createId(nowMs)}`
  return endpointIds.map((endpointId) => ({
    ...{ id: createId(nowMs), environmentId, endpointId, eventId, eventType: type, payload, status: 'pending' },
    ...{ attempts: 0, log: '[]', reason: null, nextAt: nowMs, trace, createdAt: nowMs, settledAt: null },
  }))
}
