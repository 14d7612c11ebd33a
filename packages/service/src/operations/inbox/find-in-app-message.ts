import { notFound } from '../../api/api-error.ts'
import type { MessageRow } from '../../store/schema/message.ts'
import type { SubscriberRow } from '../../store/schema/subscriber.ts'
import type { Session } from '../../store/store.ts'

/**
 * Finds an in-app message of a subscriber.
 *
 * @param id - Row id of the message.
 * @throws {ApiError} 404 if it does not exist.
 */
export async function findInAppMessage(db: Session, subscriber: SubscriberRow, id = ''): Promise<MessageRow> {
  const row = await db
    .selectFrom('messages')
    .selectAll()
    .where('id', '=', id)
    .where('environmentId', '=', subscriber.environmentId)
    .where('subscriberId', '=', subscriber.id)
    .where('channel', '=', 'in_app')
    .where('status', '=', 'sent')
    .executeTakeFirst()
  if (!row) throw notFound('Message', id)
  return row
}
