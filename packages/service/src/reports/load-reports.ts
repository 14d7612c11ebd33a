import type { JsonObject } from '@trestle/protocol'
import { sql } from 'kysely'
import type { DeliveryReportRow } from '../store/schema/message.ts'
import { groupBy } from '../store/shared/row-list.ts'
import type { Session } from '../store/store.ts'

/** Selects the reports of messages or of runs. */
export interface WantedReports {
  readonly by: 'messageId' | 'runId'
  readonly ids: readonly string[]
}

/** Far more than a message usually has: some programs open an email again and again. */
const maxPerMessage = 100

/** Returns the newest 100 reports of each message as they are shown, oldest first. */
export async function loadReports(
  db: Session,
  { by, ids }: WantedReports,
): Promise<ReadonlyMap<string, readonly JsonObject[]>> {
  if (ids.length === 0) return new Map()
  const ranked = db
    .selectFrom('deliveryReports')
    .selectAll()
    .select(sql<number>`row_number() over (partition by "messageId" order by "happenedAt" desc, "id" desc)`.as('rank'))
    .where(by, 'in', ids)
  const rows = await db
    .selectFrom(ranked.as('ranked'))
    .selectAll()
    .where('rank', '<=', maxPerMessage)
    .orderBy('happenedAt')
    .orderBy('id')
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
