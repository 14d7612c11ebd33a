import { type ApiError, notFound } from '../../api/api-error.ts'
import type { SubscriberRow } from '../../store/schema/subscriber.ts'
import type { Session } from '../../store/store.ts'

/**
 * Finds a subscriber by subscriber id.
 *
 * @param db - The store, or the transaction that changes the row.
 * @param where - The environment, and a function that creates the error if not found. @default 404
 * @throws {ApiError} 404 if it does not exist.
 */
export async function findSubscriber(
  db: Session,
  { environment, missing }: { readonly environment: { readonly id: string }; readonly missing?: () => ApiError },
  subscriberId = '',
): Promise<SubscriberRow> {
  const row = await db
    .selectFrom('subscribers')
    .selectAll()
    .where('environmentId', '=', environment.id)
    .where('subscriberId', '=', subscriberId)
    .executeTakeFirst()
  if (!row) throw missing?.() ?? notFound('Subscriber', subscriberId)
  return row
}
