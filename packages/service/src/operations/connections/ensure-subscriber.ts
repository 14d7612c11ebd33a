import { notFound } from '../../api/api-error.ts'
import type { CallContext } from '../../context/service-context.ts'
import { createId } from '../../store/create-id.ts'
import type { Session } from '../../store/store.ts'

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
  { environment, clock }: CallContext,
  { subscriberId, isCreated }: { readonly subscriberId: string; readonly isCreated: boolean },
): Promise<void> {
  const found = await tx
    .selectFrom('subscribers')
    .select('id')
    .where('environmentId', '=', environment.id)
    .where('subscriberId', '=', subscriberId)
    .executeTakeFirst()
  if (found) return
  if (!isCreated) throw notFound('Subscriber', subscriberId)
  const nowMs = clock.now()
  const empty = {
    firstName: null,
    lastName: null,
    email: null,
    phone: null,
    avatar: null,
    locale: null,
    timezone: null,
  }
  const rest = { data: null, channels: '[]', isOnline: null, lastOnlineAt: null, createdAt: nowMs, updatedAt: nowMs }
  await tx
    .insertInto('subscribers')
    .values({ id: createId(nowMs), environmentId: environment.id, subscriberId, ...empty, ...rest })
    .onConflict((conflict) => conflict.columns(['environmentId', 'subscriberId']).doNothing())
    .execute()
}
