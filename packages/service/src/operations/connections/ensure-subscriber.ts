import { notFound } from '../../api/api-error.ts'
import type { CallContext } from '../../context/service-context.ts'
import type { Session } from '../../store/store.ts'
import { storeSubscriber } from '../subscribers/store-subscriber.ts'

/**
 * Throws unless a subscriber is there, or creates it where the caller asked for that.
 *
 * @param tx - The transaction.
 * @param context - The call.
 * @param wanted - The caller's own identifier, and whether a missing one is created.
 * @throws {ApiError} There is none.
 */
export async function ensureSubscriber(
  tx: Session,
  context: CallContext,
  { subscriberId, isCreated }: { readonly subscriberId: string; readonly isCreated: boolean },
): Promise<void> {
  const found = await tx
    .selectFrom('subscribers')
    .select('id')
    .where('environmentId', '=', context.environment.id)
    .where('subscriberId', '=', subscriberId)
    .executeTakeFirst()
  if (found) return
  if (!isCreated) throw notFound('Subscriber', subscriberId)
  await storeSubscriber(tx, context, { subscriberId })
}
