import type { CallContext } from '../../context/service-context.ts'
import { storeSubscribers } from '../../engine/intake/store-subscribers.ts'
import type { SubscriberRow } from '../../store/schema/subscriber.ts'
import type { Session } from '../../store/store.ts'
import { findSubscriber } from './find-subscriber.ts'
import type { ChannelBody, SubscriberProfile } from './subscriber-fields.ts'

/** A subscriber as a caller describes it. */
export interface SubscriberBody extends SubscriberProfile {
  /** The caller's own identifier. */
  readonly subscriberId: string
  /** Credentials of channels. */
  readonly channels?: readonly ChannelBody[] | undefined
}

/**
 * Creates a subscriber, or updates one that exists by the fields that were sent.
 *
 * @returns The row, and whether it is new.
 */
export async function storeSubscriber(
  tx: Session,
  context: CallContext,
  body: SubscriberBody,
): Promise<{ readonly row: SubscriberRow; readonly isNew: boolean }> {
  const at = { environmentId: context.environment.id, nowMs: context.clock.now() }
  const before = await tx
    .selectFrom('subscribers')
    .select('id')
    .where('environmentId', '=', at.environmentId)
    .where('subscriberId', '=', body.subscriberId)
    .executeTakeFirst()
  const { subscriberId, ...fields } = body
  await storeSubscribers(tx, [{ subscriberId, fields: emptyToNull(fields) }], at)
  return { row: await findSubscriber(tx, context, subscriberId), isNew: before === undefined }
}

/** An empty mail address means that there is none. */
function emptyToNull<T extends { readonly email?: string | null | undefined }>(fields: T): T {
  return fields.email === '' ? { ...fields, email: null } : fields
}

/**
 * Removes a subscriber with its messages, preferences and subscriptions.
 *
 * @throws {ApiError} 404
 */
export async function removeSubscriber(tx: Session, context: CallContext, subscriberId: string): Promise<void> {
  const { id } = await findSubscriber(tx, context, subscriberId)
  const messages = tx
    .selectFrom('messages')
    .select('id')
    .where('environmentId', '=', context.environment.id)
    .where('subscriberId', '=', id)
  await tx.deleteFrom('outbox').where('messageId', 'in', messages).execute()
  await tx
    .deleteFrom('messages')
    .where('environmentId', '=', context.environment.id)
    .where('subscriberId', '=', id)
    .execute()
  await tx.deleteFrom('preferences').where('subscriberId', '=', id).execute()
  await tx
    .deleteFrom('topicSubscriptions')
    .where('environmentId', '=', context.environment.id)
    .where('subscriberId', '=', id)
    .execute()
  await tx.deleteFrom('subscribers').where('id', '=', id).execute()
}
