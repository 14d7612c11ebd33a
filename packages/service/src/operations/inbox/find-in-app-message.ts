import { type ApiError, notFound } from '../../api/api-error.ts'
import type { CallContext } from '../../context/service-context.ts'
import type { MessageRow } from '../../store/schema/message.ts'
import type { SubscriberRow } from '../../store/schema/subscriber.ts'
import type { Session } from '../../store/store.ts'

/**
 * Finds a subscriber by the caller's own identifier.
 *
 * @param db - Where from.
 * @param context - The call.
 * @param subscriberId - The identifier.
 * @param missing - Makes the error of one that is not there. @default 404
 * @throws {ApiError} There is none.
 */
export async function findSubscriber(
  db: Session,
  { environment }: CallContext,
  { subscriberId, missing }: { readonly subscriberId: string | undefined; readonly missing?: () => ApiError },
): Promise<SubscriberRow> {
  const row = await db
    .selectFrom('subscribers')
    .selectAll()
    .where('environmentId', '=', environment.id)
    .where('subscriberId', '=', subscriberId ?? '')
    .executeTakeFirst()
  if (!row) throw missing?.() ?? notFound('Subscriber', subscriberId ?? '')
  return row
}

/**
 * Finds an in-app message of a subscriber.
 *
 * @param db - Where from.
 * @param subscriber - Whose message.
 * @param id - Row id of the message.
 * @throws {ApiError} There is none.
 */
export async function findInAppMessage(db: Session, subscriber: SubscriberRow, id = ''): Promise<MessageRow> {
  const row = await db
    .selectFrom('messages')
    .selectAll()
    .where('id', '=', id)
    .where('environmentId', '=', subscriber.environmentId)
    .where('subscriberId', '=', subscriber.id)
    .where('channel', '=', 'in_app')
    .executeTakeFirst()
  if (!row) throw notFound('Message', id)
  return row
}
