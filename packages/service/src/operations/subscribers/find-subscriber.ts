import { type ApiError, notFound } from '../../api/api-error.ts'
import type { SubscriberRow } from '../../store/schema/subscriber.ts'
import type { Session } from '../../store/store.ts'

/**
 * Finds a subscriber by the caller's own identifier.
 *
 * @param db - The store, or the transaction the row is changed in.
 * @param where - The environment, and what makes the error of one that is not there. @default 404
 * @param subscriberId - The identifier.
 * @throws {ApiError} There is none.
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
