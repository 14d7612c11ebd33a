import type { JsonObject } from '@trestle/protocol'
import type { DeliveryReportRow } from '../store/schema/message.ts'
import { groupBy } from '../store/shared/row-list.ts'
import type { Session } from '../store/store.ts'

/** Selects the reports of messages or of runs. */
export interface WantedReports {
  readonly by: 'messageId' | 'runId'
  readonly ids: readonly string[]
}

/** Far more than a message usually has: some programs open an email again and again. */
const maxRows = 2000

/** Returns reports as they are shown, by message, oldest first. */
export async function loadReports(
  db: Session,
  { by, ids }: WantedReports,
): Promise<ReadonlyMap<string, readonly JsonObject[]>> {
  if (ids.length === 0) return new Map()
  const rows = await db
    .selectFrom('deliveryReports')
    .selectAll()
    .where(by, 'in', ids)
    .orderBy('happenedAt')
    .orderBy('id')
    .limit(maxRows)
    .execute()
  return new Map([...groupBy(rows, ({ messageId }) => messageId)].map(([id, list]) => [id, list.map(toShown)]))
}

/** Returns a report as it is shown. */
export function toShown({
  type,
  reason,
  happenedAt,
}: Pick<DeliveryReportRow, 'type' | 'reason' | 'happenedAt'>): JsonObject {
  return { type, at: new Date(happenedAt).toISOString(), ...(reason !== null && { reason }) }
}
