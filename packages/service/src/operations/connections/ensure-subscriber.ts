import { notFound } from '../../api/api-error.ts'
import type { CallContext } from '../../context/service-context.ts'
import type { Session } from '../../store/store.ts'
import { storeSubscriber } from '../subscribers/store-subscriber.ts'

/**
 * Checks that a subscriber exists, or creates it if the caller asked for that.
 *
 * @param wanted - The subscriber id, and whether to create a missing subscriber.
 * @throws {ApiError} 404 if it does not exist.
 */
export async function ensureSubscriber(
  tx: Session,
  context: CallContext,
  { subscriberId, isCreated }: { readonly subscriberId: string; readonly isCreated: boolean },
): Promise<void> {
  const existingSubscriber = await tx
    .selectFrom('subscribers')
    .select('id')
    .where('environmentId', '=', context.environment.id)
    .where('subscriberId', '=', subscriberId)
    .executeTakeFirst()
  if (existingSubscriber) return
  if (!isCreated) throw notFound('Subscriber', subscriberId)
  await storeSubscriber(tx, context, { subscriberId })
}
