import { toLaneName } from '../queue/lane-name.ts'
import type { Priority, Queue } from '../queue/queue.ts'
import type { WebhookDeliveryRow } from '../store/schema/delivery.ts'
import type { Session } from '../store/store.ts'

/** The queue item kind of webhook deliveries. */
export const webhookKind = 'webhook'

/** Deliveries to queue. */
export interface QueuedWebhooks {
  readonly deliveries: readonly Pick<WebhookDeliveryRow, 'id' | 'environmentId' | 'endpointId'>[]
  /** The wait before the attempt. @default 0 */
  readonly delayMs?: number
  /** @default 'fresh' */
  readonly priority?: Priority | undefined
}

/**
 * Queues deliveries. A slow endpoint only delays its own deliveries.
 *
 * @param tx - The transaction that stores them.
 */
export async function queueWebhook(
  tx: Session,
  queue: Pick<Queue, 'add'>,
  { deliveries, delayMs = 0, priority = 'fresh' }: QueuedWebhooks,
): Promise<void> {
  const items = deliveries.map(({ id, environmentId, endpointId }) => ({
    kind: webhookKind,
    id,
    lane: toLaneName(environmentId, `${webhookKind} ${endpointId}`),
    priority,
  }))
  await queue.add(tx, items, { delayMs })
}
