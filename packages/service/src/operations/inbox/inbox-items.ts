import type { JsonObject } from '@trestle/protocol'
import { toInboxItem } from '../../messages/to-message.ts'
import type { MessageRow } from '../../store/schema/message.ts'
import type { SubscriberRow } from '../../store/schema/subscriber.ts'
import type { Session } from '../../store/store.ts'

/** Returns in-app messages in the inbox format, with data of their workflows. */
export async function showInboxItems(
  db: Session,
  subscriber: SubscriberRow,
  rows: readonly MessageRow[],
): Promise<readonly JsonObject[]> {
  const ids = [...new Set(rows.map(({ workflowId }) => workflowId))]
  const workflows =
    ids.length === 0
      ? []
      : await db
          .selectFrom('workflows')
          .select(['id', 'identifier', 'name', 'critical', 'severity', 'tags'])
          .where('id', 'in', ids)
          .execute()
  const workflowsById = new Map(
    workflows.map(({ id, identifier, name, critical, severity, tags }) => [
      id,
      { id, identifier, name, critical: critical === 1, severity, tags: JSON.parse(tags) },
    ]),
  )
  return rows.map((row) => toInboxItem(row, { subscriber, workflow: workflowsById.get(row.workflowId) }))
}
