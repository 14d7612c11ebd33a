import type { JsonObject } from '@trestle/protocol'
import { refuseLargePage } from '../../api/page-size.ts'
import { type InboxRow, toInboxItem } from '../../messages/to-message.ts'
import type { SubscriberRow } from '../../store/schema/subscriber.ts'
import type { Session } from '../../store/store.ts'

/** The columns whose size nothing else limits, in the feed of API v1 and in the inbox of API v2. */
const documents = { feed: ['payload', 'overrides', 'content', 'data'], inbox: ['content', 'data'] } as const

/**
 * Returns a function that checks the size of messages before they are read.
 *
 * @throws {ApiError} From the function: 413 if they are too large for one response.
 */
export function checkSizeFor(view: keyof typeof documents, db: Session): (ids: readonly string[]) => Promise<void> {
  return (ids) => refuseLargePage(db, { table: 'messages', by: 'id', ids, columns: documents[view] })
}

/** Returns in-app messages in the inbox format, with data of their workflows. */
export async function showInboxItems(
  db: Session,
  subscriber: SubscriberRow,
  rows: readonly InboxRow[],
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
