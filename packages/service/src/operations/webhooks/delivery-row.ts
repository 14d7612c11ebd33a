import type { JsonObject } from '@trestle/protocol'
import { compact } from '../../json/json.ts'
import type { WebhookDeliveryRow } from '../../store/schema/delivery.ts'

/** Returns a delivery as the API shows it. */
export function toDelivery(row: WebhookDeliveryRow): JsonObject {
  const { id, endpointId, eventId, eventType, status, reason, log, payload, nextAt, createdAt, settledAt } = row
  return compact({
    ...{ _id: id, _endpointId: endpointId, eventId, eventType, status, reason: reason ?? undefined },
    ...{ attempts: JSON.parse(log), payload: JSON.parse(payload) },
    nextAt: toTime(nextAt),
    createdAt: toTime(createdAt),
    settledAt: toTime(settledAt),
  })
}

const toTime = (ms: number | null): string | undefined => (ms === null ? undefined : new Date(ms).toISOString())
